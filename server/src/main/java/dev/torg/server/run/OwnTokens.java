package dev.torg.server.run;

import dev.torg.platform.identity.Lifetimes;
import dev.torg.platform.identity.SigningKeys;
import dev.torg.platform.identity.Tokens;
import dev.torg.server.config.Configuration;
import java.time.InstantSource;

/// The tokens of a data directory: its keys in `keys.json`, lifetimes and identity provider from the configuration.
public final class OwnTokens {
  private OwnTokens() {}

  public static Tokens open(Configuration configuration) {
    InstantSource clock = InstantSource.system();
    return new Tokens(
        SigningKeys.open(configuration.data().resolve("keys.json"), clock),
        new Lifetimes(configuration.anonymousTokenLifetime(), configuration.tokenLifetime()),
        configuration.identityProvider(),
        clock);
  }
}
