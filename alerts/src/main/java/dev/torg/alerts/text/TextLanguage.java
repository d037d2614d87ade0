package dev.torg.alerts.text;

import dev.torg.api.v1.NotificationSettings;

/// The language of a recipient's texts.
enum TextLanguage {
  ENGLISH,
  RUSSIAN;

  static TextLanguage of(NotificationSettings settings) {
    return settings.getLanguage().equals("ru") ? RUSSIAN : ENGLISH;
  }

  String select(String english, String russian) {
    return switch (this) {
      case ENGLISH -> english;
      case RUSSIAN -> russian;
    };
  }
}
