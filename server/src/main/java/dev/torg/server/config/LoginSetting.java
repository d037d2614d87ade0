package dev.torg.server.config;

import dev.torg.server.DevelopmentLogin;
import java.util.List;
import java.util.Optional;

/// Decides on the development login, which lets anybody be anybody: it is for one person's machine, and `insecure` is
/// the word with which an operator opens it elsewhere.
final class LoginSetting {
  private static final String INSECURE = "insecure";

  private LoginSetting() {}

  static DevelopmentLogin of(SettingReader read, boolean givenDatabase) {
    String value = read.oneOf(Setting.LOGIN, List.of("auto", "on", "off", INSECURE));
    Optional<String> obstacle = obstacle(read, givenDatabase);
    if (value.equals("on") && obstacle.isPresent()) {
      throw SettingReader.bad(
          Setting.LOGIN,
          "cannot be on %s: it lets anybody be anybody; %s opens it all the same"
              .formatted(obstacle.get(), INSECURE));
    }
    if (value.equals(INSECURE)) {
      return DevelopmentLogin.INSECURE;
    }
    return value.equals("off") || obstacle.isPresent()
        ? DevelopmentLogin.OFF
        : DevelopmentLogin.LOCAL;
  }

  /// Why others than the person at this machine may reach or rely on this server.
  private static Optional<String> obstacle(SettingReader read, boolean givenDatabase) {
    if (givenDatabase) {
      return Optional.of("with a given database");
    }
    if (!Loopback.isLoopback(read.value(Setting.HOST))) {
      return Optional.of("with a host that other machines reach");
    }
    if (read.text(Setting.IDENTITY_JWKS).isPresent()) {
      return Optional.of("beside an identity provider");
    }
    return read.ranges(Setting.TRUSTED_PROXIES).isEmpty()
        ? Optional.empty()
        : Optional.of("behind a proxy");
  }
}
