package dev.torg.notifications.email;

import java.util.Locale;

/// The words of mails besides the message itself.
record MailTexts(String language, String open, String reason, String unsubscribe) {
  private static final MailTexts ENGLISH =
      new MailTexts(
          "en",
          "Open",
          "You receive this mail because of your notification settings.",
          "Unsubscribe");

  private static final MailTexts RUSSIAN =
      new MailTexts(
          "ru",
          "Открыть",
          "Вы получили это письмо согласно вашим настройкам уведомлений.",
          "Отписаться");

  static MailTexts of(Locale language) {
    return language.getLanguage().equals("ru") ? RUSSIAN : ENGLISH;
  }
}
