package dev.torg.server.json;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.HttpStatusException;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The rules that share an HTTP method and a path up to the verb.
///
/// A verb counts only when a rule has it and its colon is written as such in the address; every other colon, and any
/// `%3A`, is part of the value: `/v1/sellers/user:42` names a seller.
public final class JsonRoute implements HttpService {
  private static final String NO_VERB = "";

  private final HttpMethod method;
  private final String path;
  private final Map<String, HttpRuleBinding> rules = new HashMap<>();

  JsonRoute(HttpMethod method, String path) {
    this.method = method;
    this.path = path;
  }

  void add(HttpRuleBinding rule) {
    String verb = rule.path().verb();
    HttpRuleBinding before =
        rules.put(verb != null && rule.path().verbFollowsVariable() ? verb : NO_VERB, rule);
    if (before != null) {
      throw new IllegalStateException(
          rule.descriptor().getFullName()
              + " and "
              + before.descriptor().getFullName()
              + " have the same address");
    }
  }

  public HttpMethod method() {
    return method;
  }

  public String path() {
    return path;
  }

  /// Whether one of the rules has this address, which belongs to this route.
  public boolean accepts(ServiceRequestContext ctx) {
    String[] segments = segments(ctx);
    return rules.containsKey(NO_VERB) || verbRule(segments[segments.length - 1]) != null;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
    String[] segments = segments(ctx);
    String last = segments[segments.length - 1];
    HttpRuleBinding rule = verbRule(last);
    if (rule != null) {
      segments[segments.length - 1] = last.substring(0, last.lastIndexOf(':'));
    } else {
      rule = rules.get(NO_VERB);
    }
    if (rule == null) {
      throw HttpStatusException.of(HttpStatus.METHOD_NOT_ALLOWED);
    }
    return rule.serve(ctx, request, segments);
  }

  private @Nullable HttpRuleBinding verbRule(String last) {
    int colon = last.lastIndexOf(':');
    return colon <= 0 ? null : rules.get(last.substring(colon + 1));
  }

  /// As sent, not yet decoded, unless the server had to clean the path first.
  private String[] segments(ServiceRequestContext ctx) {
    String raw = ctx.rawPath();
    int query = raw.indexOf('?');
    String[] sent = (query < 0 ? raw : raw.substring(0, query)).substring(1).split("/", -1);
    String[] clean = ctx.path().substring(1).split("/", -1);
    return sent.length == clean.length ? sent : clean;
  }
}
