package dev.torg.server.json;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.platform.Failure;
import dev.torg.server.problem.HttpProblems;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The rules that share an HTTP method and a path up to the verb.
///
/// A verb counts only when a rule has it and its colon is written as such in the address; every other colon, and any
/// `%3A`, is part of the value: `/v1/sellers/user:42` names a seller.
public final class JsonRoute implements HttpService {
  private static final String NO_VERB = "";

  private final HttpMethod method;
  private final String path;
  private final Map<String, JsonMethod> rules = new HashMap<>();
  private boolean otherMethodsExist;

  JsonRoute(HttpMethod method, String path) {
    this.method = method;
    this.path = path;
  }

  void add(JsonMethod rule) {
    String verb = rule.path().verb();
    JsonMethod before =
        rules.put(verb != null && rule.path().verbFollowsVariable() ? verb : NO_VERB, rule);
    if (before != null) {
      throw new IllegalStateException(
          rule.descriptor().getFullName()
              + " and "
              + before.descriptor().getFullName()
              + " have the same address");
    }
  }

  void otherMethodsExist() {
    otherMethodsExist = true;
  }

  public HttpMethod method() {
    return method;
  }

  public String path() {
    return path;
  }

  boolean takesNoVerb() {
    return rules.containsKey(NO_VERB);
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
    String[] segments = segments(ctx);
    String last = segments[segments.length - 1];
    int colon = last.lastIndexOf(':');
    JsonMethod rule = colon <= 0 ? null : rules.get(last.substring(colon + 1));
    if (rule != null) {
      segments[segments.length - 1] = last.substring(0, colon);
    } else {
      rule = rules.get(NO_VERB);
    }
    if (rule != null) {
      return rule.serve(ctx, request, values(rule, segments));
    }
    if (otherMethodsExist) {
      return HttpProblems.methodNotAllowed(ctx);
    }
    throw Failure.notFound("http.no-such-route", "there is nothing at this address");
  }

  /// As sent, not yet decoded, unless the server had to clean the path first.
  private String[] segments(ServiceRequestContext ctx) {
    String raw = ctx.rawPath();
    int query = raw.indexOf('?');
    String[] sent = (query < 0 ? raw : raw.substring(0, query)).substring(1).split("/", -1);
    String[] clean = ctx.path().substring(1).split("/", -1);
    return sent.length == clean.length ? sent : clean;
  }

  private static List<String> values(JsonMethod rule, String[] segments) {
    List<PathTemplate.Segment> template = rule.path().segments();
    List<String> values = new ArrayList<>();
    for (int i = 0; i < template.size(); i++) {
      if (template.get(i) instanceof PathTemplate.Variable variable) {
        values.add(decode(variable.field(), segments[i]));
      }
    }
    return values;
  }

  private static String decode(String field, String segment) {
    if (segment.indexOf('%') < 0) {
      return segment;
    }
    try {
      String value = URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
      if (value.indexOf('\uFFFD') < 0) {
        return value;
      }
    } catch (IllegalArgumentException e) {
      // Falls through to the refusal.
    }
    throw Failure.invalid(
        "request.malformed", "the address cannot be read", field, "is not well encoded");
  }
}
