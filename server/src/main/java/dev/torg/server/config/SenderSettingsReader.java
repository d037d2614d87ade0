package dev.torg.server.config;

import dev.torg.notifications.SenderSettings;
import java.util.Optional;

/// Reads the settings of sending on the channels besides the bell.
final class SenderSettingsReader {
  private SenderSettingsReader() {}

  /// @param development whether only the developer of this machine reaches the server
  static SenderSettings of(SettingReader read, boolean development) {
    return new SenderSettings(
        MailSettingsReader.smtp(read),
        MailSettingsReader.from(read),
        publicUrl(read),
        read.words(Setting.WEBHOOK_HOSTS),
        PushSettingsReader.vapid(read),
        PushSettingsReader.apns(read),
        PushSettingsReader.fcm(read),
        SmsSettingsReader.of(read),
        development);
  }

  private static String publicUrl(SettingReader read) {
    Optional<String> given = read.text(Setting.PUBLIC_URL);
    return given.isPresent()
        ? read.url(Setting.PUBLIC_URL).toString().replaceFirst("/+$", "")
        : "http://localhost:" + read.value(Setting.PORT);
  }
}
