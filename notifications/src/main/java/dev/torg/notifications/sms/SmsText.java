package dev.torg.notifications.sms;

import dev.torg.notifications.channel.ContentLinks;
import dev.torg.notifications.channel.MessageContent;
import dev.torg.notifications.channel.PlainText;

/// The text of an SMS: title, text and link, shortened to a number of segments. A segment of several has 153 characters
/// of the GSM alphabet (GSM 03.38), or 67 UTF-16 units as soon as one character is outside of it.
public final class SmsText {
  private static final int SINGLE_GSM = 160;
  private static final int PART_GSM = 153;
  private static final int SINGLE_UNICODE = 70;
  private static final int PART_UNICODE = 67;

  /// A link that leaves less for the text is left out.
  private static final int MIN_TEXT = 20;

  private static final String GSM =
      "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
          + "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";

  /// Preceded by an escape, so they count twice.
  private static final String GSM_EXTENSION = "^{}\\[~]|€\f";

  private SmsText() {}

  public static String of(MessageContent content, ContentLinks links, int maxSegments) {
    String title = PlainText.line(content.title());
    String text = PlainText.lines(content.text());
    String words = text.isEmpty() || text.equals(title) ? title : title + "\n" + text;
    String link = links.absolute(content.action().web()).map(url -> "\n" + url).orElse("");
    return shortened(words, link, maxSegments);
  }

  private static String shortened(String words, String link, int maxSegments) {
    if (segments(words + link) <= maxSegments) {
      return words + link;
    }
    int length = longestFitting(words, link, maxSegments);
    return length < MIN_TEXT && !link.isEmpty()
        ? shortened(words, "", maxSegments)
        : cut(words, length) + link;
  }

  /// Of the shortened text, by binary search: the cost grows with the length.
  private static int longestFitting(String words, String link, int maxSegments) {
    int low = 0;
    int high = words.length();
    while (low < high) {
      int middle = (low + high + 1) / 2;
      if (segments(cut(words, middle) + link) <= maxSegments) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  private static String cut(String words, int length) {
    return PlainText.shortened(words, length, "...");
  }

  static int segments(String text) {
    boolean isGsm = text.chars().allMatch(SmsText::isGsm);
    int units = isGsm ? text.chars().map(SmsText::gsmLength).sum() : text.length();
    int single = isGsm ? SINGLE_GSM : SINGLE_UNICODE;
    int part = isGsm ? PART_GSM : PART_UNICODE;
    return units <= single ? 1 : Math.ceilDiv(units, part);
  }

  private static boolean isGsm(int character) {
    return GSM.indexOf(character) >= 0 || GSM_EXTENSION.indexOf(character) >= 0;
  }

  private static int gsmLength(int character) {
    return GSM_EXTENSION.indexOf(character) >= 0 ? 2 : 1;
  }
}
