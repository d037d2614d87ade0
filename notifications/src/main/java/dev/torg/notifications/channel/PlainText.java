package dev.torg.notifications.channel;

/// Cleans texts of messages from characters that are not text.
public final class PlainText {
  private PlainText() {}

  /// One line: control characters and line breaks become spaces.
  public static String line(String text) {
    return text.replaceAll("[\\p{Cntrl}\\u2028\\u2029]+", " ").strip();
  }

  /// Lines end with `\n`; other control characters are removed.
  public static String lines(String text) {
    return text.replaceAll("\\r\\n?|[\\u2028\\u2029]", "\n")
        .replaceAll("[\\p{Cntrl}&&[^\\n\\t]]", "")
        .strip();
  }

  /// The first characters of a text and an ellipsis, together at most `max` UTF-16 units; never half of a character.
  public static String shortened(String text, int max, String ellipsis) {
    if (text.length() <= max) {
      return text;
    }
    int end = Math.max(0, max - ellipsis.length());
    if (end > 0 && Character.isHighSurrogate(text.charAt(end - 1))) {
      end--;
    }
    return end == 0 ? "" : text.substring(0, end).stripTrailing() + ellipsis;
  }
}
