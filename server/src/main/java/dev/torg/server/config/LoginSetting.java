package dev.torg.server.config;

import dev.torg.platform.Loopback;
import dev.torg.server.DevelopmentLogin;
import java.util.List;
import java.util.Optional;

/// Decides on the development login, which allows a caller to log in as any user: it is meant for
/// one developer's machine, and `insecure` is the value with which an operator enables it
/// elsewhere.
final class LoginSetting {
  private static final String INSECURE = "insecure";

  private LoginSetting() {}

  static DevelopmentLogin of(SettingReader read, boolean externalDatabase) {
    String value = read.oneOf(Setting.LOGIN, List.of("auto", "on", "off", INSECURE));
    Optional<String> obstacle = obstacle(read, externalDatabase);
    if (value.equals("on") && obstacle.isPresent()) {
      throw SettingReader.invalid(
          Setting.LOGIN,
          "cannot be on %s: it lets every caller log in as any user; %s enables it all the same"
              .formatted(obstacle.get(), INSECURE));
    }
    if (value.equals(INSECURE)) {
      return DevelopmentLogin.INSECURE;
    }
    return value.equals("off") || obstacle.isPresent()
        ? DevelopmentLogin.OFF
        : DevelopmentLogin.LOCAL;
  }

  /// Why clients other than the local developer may reach or rely on this server.
  private static Optional<String> obstacle(SettingReader read, boolean externalDatabase) {
    if (externalDatabase) {
      return Optional.of("with a given database");
    }
    if (!Loopback.isLoopback(read.value(Setting.HOST))) {
      return Optional.of("with a host that other machines reach");
    }
    if (read.text(Setting.IDENTITY_JWKS).isPresent()) {
      return Optional.of("together with an identity provider");
    }
    return read.ranges(Setting.TRUSTED_PROXIES).isEmpty()
        ? Optional.empty()
        : Optional.of("behind a proxy");
  }
}
