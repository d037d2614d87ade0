package dev.torg.notifications.dispatch;

import dev.torg.notifications.channel.MessageContent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The text of one message that stands for several.
final class SummaryText {
  /// Titles that are listed; the others are counted.
  private static final int MAX_TITLES = 10;

  private static final String RUSSIAN = "ru";

  private SummaryText() {}

  /// @param titles oldest first
  static MessageContent of(Locale language, List<String> titles) {
    boolean isRussian = language.getLanguage().equals(RUSSIAN);
    List<String> lines = new ArrayList<>(titles.subList(0, Math.min(titles.size(), MAX_TITLES)));
    int others = titles.size() - lines.size();
    if (others > 0) {
      lines.add(isRussian ? "и ещё " + others : "and " + others + " more");
    }
    return MessageContent.of(
        isRussian ? russian(titles.size()) : titles.size() + " new notifications",
        String.join("\n", lines));
  }

  /// 2 новых уведомления, 5 новых уведомлений, 21 новое уведомление.
  private static String russian(int count) {
    boolean isTeen = count % 100 >= 11 && count % 100 <= 14;
    String noun =
        switch (isTeen ? 0 : count % 10) {
          case 1 -> "новое уведомление";
          case 2, 3, 4 -> "новых уведомления";
          default -> "новых уведомлений";
        };
    return count + " " + noun;
  }
}
