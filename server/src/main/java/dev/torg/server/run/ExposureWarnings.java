package dev.torg.server.run;

import dev.torg.promotions.PaymentProviderSettings;
import dev.torg.server.DevelopmentLogin;
import dev.torg.server.config.Configuration;
import java.util.ArrayList;
import java.util.List;

/// Warnings to the operator at start about which clients can reach this server, one sentence each.
final class ExposureWarnings {
  private ExposureWarnings() {}

  static List<String> of(Configuration configuration) {
    List<String> warnings = new ArrayList<>();
    if (configuration.login() == DevelopmentLogin.INSECURE) {
      warnings.add(
          "login=insecure: every client that reaches this server can log in as any user without a password");
    }
    if (configuration.payments() instanceof PaymentProviderSettings.Sandbox
        && configuration.login() == DevelopmentLogin.OFF) {
      warnings.add(
          "payment-provider=sandbox: every client that reaches this server can pay without money");
    }
    if (!configuration.isLoopback()) {
      warnings.add(
          "host=%s: other machines reach this server, and tokens travel in clear text; put a proxy with TLS in front of it"
              .formatted(configuration.host()));
      if (configuration.isEmbedded() && configuration.login() == DevelopmentLogin.OFF) {
        warnings.add(
            "the development login is off, because other machines reach this server; log in at an identity provider, or make tokens with ./torg token");
      }
    }
    return warnings;
  }
}
