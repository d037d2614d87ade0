package dev.torg.notifications.settings;

import dev.torg.notifications.RecipientSettings;
import java.util.List;
import java.util.Locale;
import java.util.Locale.LanguageRange;

/// The language of notifications that a header Accept-Language prefers.
public final class AcceptedLanguage {
  private static final List<String> LANGUAGES = List.of("en", "ru");

  private AcceptedLanguage() {}

  /// The default language if the header is empty, malformed or accepts none of the languages.
  public static String of(String header) {
    try {
      String tag =
          header.isEmpty() ? null : Locale.lookupTag(LanguageRange.parse(header), LANGUAGES);
      return tag == null ? RecipientSettings.DEFAULTS.getLanguage() : tag;
    } catch (IllegalArgumentException e) {
      return RecipientSettings.DEFAULTS.getLanguage();
    }
  }
}
