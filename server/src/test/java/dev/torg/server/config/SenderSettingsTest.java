package dev.torg.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.notifications.SenderSettings;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SenderSettingsTest {
  private static SenderSettings settings(Setting setting, String value) {
    return settings(Map.of(setting, value));
  }

  private static SenderSettings settings(Map<Setting, String> values) {
    Map<Setting, String> options = new EnumMap<>(Setting.class);
    options.putAll(values);
    return Configuration.of(SettingValues.read(options, Map.of(), Optional.empty())).senders();
  }

  @Test
  void of_noSettings_capturesInDevelopment() {
    SenderSettings settings = settings(Map.of());
    assertThat(settings.captures()).isTrue();
    assertThat(settings.smtp()).isEmpty();
    assertThat(settings.publicUrl()).isEqualTo("http://localhost:8080");
  }

  @Test
  void of_developmentLoginIsOff_capturesNothing() {
    assertThat(settings(Setting.LOGIN, "off").captures()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "smtp://mail.example, mail.example, 25, '', '', false",
    "smtp://mail.example:587, mail.example, 587, '', '', false",
    "smtps://mail.example, mail.example, 465, '', '', true",
    "smtp://torg%40x.example:p%3Aa+b@mail.example:2525, mail.example, 2525, torg@x.example, p:a+b, false",
    "smtp://[::1]:25/, ::1, 25, '', '', false"
  })
  void mailSmtp(String url, String host, int port, String user, String password, boolean tls) {
    assertThat(settings(Setting.MAIL_SMTP, url).smtp())
        .contains(new SenderSettings.Smtp(host, port, user, password, tls, false));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mail.example:25",
        "http://mail.example",
        "smtp://",
        "smtp://user@mail.example",
        "smtp://a@b:c@mail.example",
        "smtp://mail.example/path",
        "smtp://mail.example:0",
        "smtp://mail.example:70000"
      })
  void mailSmtp_bad_namesTheKey(String url) {
    refuses(Map.of(Setting.MAIL_SMTP, url), "mail-smtp ");
  }

  @Test
  void settingsOfAProvider_incomplete_nameTheMissingOne() {
    refuses(Map.of(Setting.PUSH_VAPID_SUBJECT, "mailto:a@b.c"), "push-vapid-public-key ");
    refuses(Map.of(Setting.PUSH_APNS_KEY, "/key.p8"), "push-apns-key-id ");
  }

  @ParameterizedTest
  @CsvSource({
    "SMS_GATEWAY_URL, ftp://x, sms-gateway-url",
    "SMS_GATEWAY_URL, 'http://{to}/', sms-gateway-url",
    "SMS_GATEWAY_HEADERS, no header, sms-gateway-headers",
    "SMS_GATEWAY_SUCCESS, 299-200, sms-gateway-success",
    "PUSH_APNS_SERVER, apple:70000, push-apns-server",
    "PUSH_FCM_CREDENTIALS, /no/such/file, push-fcm-credentials"
  })
  void bad_namesTheKey(Setting setting, String value, String key) {
    refuses(Map.of(setting, value), key + " ");
  }

  private static void refuses(Map<Setting, String> values, String start) {
    assertThatThrownBy(() -> settings(values))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageStartingWith(start);
  }
}
