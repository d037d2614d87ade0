package dev.torg.notifications.template;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// The rules of links with parameters. Scheme and host are literal, so no parameter changes where a link leads;
/// values are percent-encoded, so none adds a path, a query or a fragment.
final class LinkTemplate {
  private static final String TAG = "{{";

  /// A scheme, and after `//` a whole host with its end. Only links of apps may do without a host.
  private static final Pattern LITERAL_TARGET =
      Pattern.compile(
          "[A-Za-z][A-Za-z0-9+.-]*://[^/?#]+[/?#].*|(?!https?:)[A-Za-z][A-Za-z0-9+.-]*:(?!/).*",
          Pattern.DOTALL | Pattern.CASE_INSENSITIVE);

  private static final String UNRESERVED = "-._~";
  private static final Pattern END_OF_PATH = Pattern.compile("[?#]");

  private LinkTemplate() {}

  /// What is wrong with the source of a link.
  static Optional<String> problem(String source) {
    int tag = source.indexOf(TAG);
    return tag < 0 || LITERAL_TARGET.matcher(source.substring(0, tag)).matches()
        ? Optional.empty()
        : Optional.of("must have its parameters after the host");
  }

  static String encode(String value) {
    StringBuilder encoded = new StringBuilder(value.length());
    for (byte octet : value.getBytes(StandardCharsets.UTF_8)) {
      char character = (char) (octet & 0xFF);
      if (isUnreserved(character)) {
        encoded.append(character);
      } else {
        encoded.append('%').append(String.format(Locale.ROOT, "%02X", octet & 0xFF));
      }
    }
    return encoded.toString();
  }

  private static boolean isUnreserved(char character) {
    return (character >= 'A' && character <= 'Z')
        || (character >= 'a' && character <= 'z')
        || (character >= '0' && character <= '9')
        || UNRESERVED.indexOf(character) >= 0;
  }

  /// Whether a segment of the path leads upward: `..` as the value of a parameter.
  static boolean hasDotSegment(String link) {
    String path = END_OF_PATH.split(link, 2)[0];
    return Arrays.stream(path.split("/")).anyMatch(part -> part.equals("..") || part.equals("."));
  }
}
