package dev.torg.server.config;

import com.google.common.net.HostAndPort;
import dev.torg.notifications.SenderSettings;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// Reads the settings of pushes. The settings of a provider are given together.
final class PushSettingsReader {
  private static final int PUBLIC_KEY_BYTES = 65;
  private static final int PRIVATE_KEY_BYTES = 32;
  private static final int HTTPS_PORT = 443;

  private static final List<Setting> VAPID =
      List.of(
          Setting.PUSH_VAPID_PUBLIC_KEY,
          Setting.PUSH_VAPID_PRIVATE_KEY,
          Setting.PUSH_VAPID_SUBJECT);

  private static final List<Setting> APNS =
      List.of(
          Setting.PUSH_APNS_KEY,
          Setting.PUSH_APNS_KEY_ID,
          Setting.PUSH_APNS_TEAM_ID,
          Setting.PUSH_APNS_TOPIC);

  private PushSettingsReader() {}

  static Optional<SenderSettings.Vapid> vapid(SettingReader read) {
    return areGiven(read, VAPID) ? Optional.of(givenVapid(read)) : Optional.empty();
  }

  private static SenderSettings.Vapid givenVapid(SettingReader read) {
    String subject = read.value(Setting.PUSH_VAPID_SUBJECT);
    if (!subject.matches("mailto:[^@\\s]+@[^@\\s]+|https://\\S+")) {
      throw SettingReader.invalid(
          Setting.PUSH_VAPID_SUBJECT, "must be mailto:… or https://…, a contact of the operator");
    }
    return new SenderSettings.Vapid(
        key(read, Setting.PUSH_VAPID_PUBLIC_KEY, PUBLIC_KEY_BYTES),
        key(read, Setting.PUSH_VAPID_PRIVATE_KEY, PRIVATE_KEY_BYTES),
        subject);
  }

  /// Without padding.
  private static String key(SettingReader read, Setting setting, int bytes) {
    String problem = "must be a key of P-256, " + bytes + " bytes in base64url";
    byte[] key = read.parse(setting, problem, Base64.getUrlDecoder()::decode);
    if (key.length != bytes) {
      throw SettingReader.invalid(setting, problem);
    }
    return Base64.getUrlEncoder().withoutPadding().encodeToString(key);
  }

  static Optional<SenderSettings.Apns> apns(SettingReader read) {
    HostAndPort server = server(read);
    return areGiven(read, APNS)
        ? Optional.of(
            new SenderSettings.Apns(
                server.getHost(),
                server.getPortOrDefault(HTTPS_PORT),
                read.file(Setting.PUSH_APNS_KEY).orElseThrow(),
                read.value(Setting.PUSH_APNS_KEY_ID),
                read.value(Setting.PUSH_APNS_TEAM_ID),
                read.value(Setting.PUSH_APNS_TOPIC)))
        : Optional.empty();
  }

  private static HostAndPort server(SettingReader read) {
    String problem = "must be host:port";
    HostAndPort server =
        read.parse(
            Setting.PUSH_APNS_SERVER,
            problem,
            text -> HostAndPort.fromString(text).requireBracketsForIPv6());
    if (server.getHost().isEmpty()) {
      throw SettingReader.invalid(Setting.PUSH_APNS_SERVER, problem);
    }
    return server;
  }

  static Optional<SenderSettings.Fcm> fcm(SettingReader read) {
    var url = read.url(Setting.PUSH_FCM_URL);
    return read.file(Setting.PUSH_FCM_CREDENTIALS)
        .map(credentials -> new SenderSettings.Fcm(withoutSlash(url), credentials));
  }

  private static java.net.URI withoutSlash(java.net.URI url) {
    return java.net.URI.create(url.toString().replaceFirst("/+$", ""));
  }

  /// All or none.
  private static boolean areGiven(SettingReader read, List<Setting> settings) {
    List<Setting> missing =
        settings.stream().filter(setting -> read.text(setting).isEmpty()).toList();
    if (!missing.isEmpty() && missing.size() < settings.size()) {
      Setting given = settings.stream().filter(s -> !missing.contains(s)).findFirst().orElseThrow();
      throw SettingReader.invalid(missing.getFirst(), "must be given with " + given.key());
    }
    return missing.isEmpty();
  }
}
