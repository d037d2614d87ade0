package dev.torg.server.run;

import dev.torg.platform.identity.Lifetimes;
import dev.torg.platform.identity.SigningKeys;
import dev.torg.platform.identity.Tokens;
import dev.torg.server.config.Configuration;
import java.time.InstantSource;

/// The tokens this process issues and accepts, as configured.
public final class OwnTokens {
  private OwnTokens() {}

  public static Tokens open(Configuration configuration) {
    InstantSource clock = InstantSource.system();
    return new Tokens(
        SigningKeys.open(configuration.keys(), clock),
        new Lifetimes(configuration.anonymousTokenLifetime(), configuration.tokenLifetime()),
        configuration.identityProvider(),
        clock);
  }
}
