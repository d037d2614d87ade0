package dev.torg.server.json;

import dev.torg.platform.Failure;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The path of a `google.api.http` rule: literals, `{field}` segments and a verb after a colon at
/// the end, as in `/v1/offers/{id}:withdraw`. Other forms of the template language are not used
/// here and are refused.
public record PathTemplate(String text, List<Segment> segments, @Nullable String verb) {
  public sealed interface Segment {}

  public record Literal(String text) implements Segment {}

  public record Variable(String field) implements Segment {}

  private static final Pattern SEGMENT =
      Pattern.compile("\\{(?<field>[a-z0-9_]+)}|(?<literal>[A-Za-z0-9._~-]+)");
  private static final Pattern TEMPLATE =
      Pattern.compile("/(?<path>[^:]+?)(:(?<verb>[A-Za-z0-9]+))?");

  public static PathTemplate parse(String text) {
    Matcher template = TEMPLATE.matcher(text);
    if (!template.matches()) {
      throw new IllegalStateException("cannot serve the path " + text);
    }
    List<Segment> segments = new ArrayList<>();
    for (String part : template.group("path").split("/", -1)) {
      Matcher segment = SEGMENT.matcher(part);
      if (!segment.matches()) {
        throw new IllegalStateException("cannot serve the path " + text);
      }
      String field = segment.group("field");
      segments.add(field != null ? new Variable(field) : new Literal(part));
    }
    return new PathTemplate(text, List.copyOf(segments), template.group("verb"));
  }

  public List<String> fields() {
    return segments.stream()
        .filter(Variable.class::isInstance)
        .map(segment -> ((Variable) segment).field())
        .toList();
  }

  /// The variables' values, in order, from the segments of an address as it was sent.
  List<String> values(String[] sent) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < segments.size(); i++) {
      if (segments.get(i) instanceof Variable variable) {
        values.add(decode(variable.field(), sent[i]));
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

  /// A verb that follows a variable shares its route with other verbs; one that follows a literal is part of it.
  boolean verbFollowsVariable() {
    return verb != null && segments.getLast() instanceof Variable;
  }

  /// The route's pattern, with variables named by position, so that rules with other variable names
  /// share it.
  String route() {
    StringBuilder route = new StringBuilder();
    for (int i = 0; i < segments.size(); i++) {
      route.append('/');
      switch (segments.get(i)) {
        case Literal literal -> route.append(literal.text());
        case Variable _ -> route.append("{p").append(i).append('}');
      }
    }
    return verb == null || verbFollowsVariable() ? route.toString() : route + ":" + verb;
  }
}
