package dev.torg.server.run;

import dev.torg.platform.Failure;
import dev.torg.platform.identity.Lifetimes;
import dev.torg.platform.identity.SigningKeys;
import dev.torg.platform.identity.TokenService;
import dev.torg.server.config.Configuration;
import java.nio.file.Files;
import java.time.InstantSource;

/// The tokens this process issues and accepts, as configured.
public final class TokenServiceFactory {
  private TokenServiceFactory() {}

  /// The tokens of an existing installation; never creates a key in an unexpected place.
  public static TokenService existing(Configuration configuration) {
    if (Files.notExists(configuration.keys())) {
      throw Failure.notFound(
          "keys.missing",
          "there is no Torg in %s: %s does not exist; the first ./torg up --data DIR creates it"
              .formatted(configuration.data(), configuration.keys()));
    }
    return open(configuration);
  }

  /// Creates the first key if there is none.
  public static TokenService open(Configuration configuration) {
    InstantSource clock = InstantSource.system();
    return new TokenService(
        SigningKeys.open(configuration.keys(), clock),
        new Lifetimes(configuration.anonymousTokenLifetime(), configuration.tokenLifetime()),
        configuration.identityProvider(),
        clock);
  }
}
