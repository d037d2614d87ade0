package dev.torg.notifications.sms;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Replaces the placeholders of a gateway's description. A value is escaped for the place where it is inserted, and never
/// searched for placeholders itself.
final class SmsTemplate {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{(to|text|id)}");

  private SmsTemplate() {}

  static String url(String template, Map<String, String> values) {
    return replace(template, values, SmsTemplate::urlEncoded);
  }

  static String header(String template, Map<String, String> values) {
    return replace(template, values, value -> value.replaceAll("[^\\x20-\\x7e]", "?"));
  }

  static String body(String template, String contentType, Map<String, String> values) {
    return replace(template, values, escaping(contentType));
  }

  private static UnaryOperator<String> escaping(String contentType) {
    if (contentType.contains("json")) {
      return value -> new String(JsonStringEncoder.getInstance().quoteAsString(value));
    }
    if (contentType.contains("xml")) {
      return SmsTemplate::xmlEscaped;
    }
    return contentType.contains("urlencoded") ? SmsTemplate::urlEncoded : value -> value;
  }

  private static String urlEncoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  private static String xmlEscaped(String value) {
    return value
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&apos;");
  }

  private static String replace(
      String template, Map<String, String> values, UnaryOperator<String> escaping) {
    return PLACEHOLDER
        .matcher(template)
        .replaceAll(
            match ->
                Matcher.quoteReplacement(
                    escaping.apply(Objects.requireNonNull(values.get(match.group(1))))));
  }
}
