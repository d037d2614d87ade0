package dev.torg.server.config;

import dev.torg.notifications.SenderSettings;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Reads the settings of mails.
final class MailSettingsReader {
  private static final String URL_FORM =
      "must be smtp://user:password@host:port or smtps://…, special characters as in %40 for @";

  private static final int SMTP_PORT = 25;
  private static final int SMTPS_PORT = 465;

  /// An address, or a name and an address in angle brackets.
  private static final Pattern FROM =
      Pattern.compile("([^<>\\p{Cntrl}]*<[^<>@\\s]+@[^<>@\\s]+>)|([^<>@\\s]+@[^<>@\\s]+)");

  private MailSettingsReader() {}

  static Optional<SenderSettings.Smtp> smtp(SettingReader read) {
    boolean requireStartTls =
        read.oneOf(Setting.MAIL_STARTTLS, List.of("auto", "required")).equals("required");
    return read.text(Setting.MAIL_SMTP).map(_ -> smtp(read, requireStartTls));
  }

  private static SenderSettings.Smtp smtp(SettingReader read, boolean requireStartTls) {
    URI url = read.parse(Setting.MAIL_SMTP, URL_FORM, URI::create);
    boolean tls = "smtps".equals(url.getScheme());
    if ((!tls && !"smtp".equals(url.getScheme())) || url.getHost() == null || hasMore(url)) {
      throw SettingReader.invalid(Setting.MAIL_SMTP, URL_FORM);
    }
    String login = Optional.ofNullable(url.getRawUserInfo()).orElse("");
    int colon = login.indexOf(':');
    if (!login.isEmpty() && colon <= 0) {
      throw SettingReader.invalid(Setting.MAIL_SMTP, URL_FORM);
    }
    return new SenderSettings.Smtp(
        url.getHost().replaceAll("[\\[\\]]", ""),
        port(url, tls),
        colon < 0 ? "" : decoded(login.substring(0, colon)),
        colon < 0 ? "" : decoded(login.substring(colon + 1)),
        tls,
        requireStartTls);
  }

  private static int port(URI url, boolean tls) {
    if (url.getPort() == 0 || url.getPort() > 65_535) {
      throw SettingReader.invalid(Setting.MAIL_SMTP, URL_FORM);
    }
    int usual = tls ? SMTPS_PORT : SMTP_PORT;
    return url.getPort() < 0 ? usual : url.getPort();
  }

  private static boolean hasMore(URI url) {
    String path = Optional.ofNullable(url.getRawPath()).orElse("");
    return !(path.isEmpty() || path.equals("/"))
        || url.getRawQuery() != null
        || url.getRawFragment() != null;
  }

  /// A plus sign is no space in this part of a URL.
  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  static String from(SettingReader read) {
    String from = read.value(Setting.MAIL_FROM);
    if (!FROM.matcher(from).matches()) {
      throw SettingReader.invalid(
          Setting.MAIL_FROM, "must be an address like Torg <noreply@example.com>");
    }
    return from;
  }
}
