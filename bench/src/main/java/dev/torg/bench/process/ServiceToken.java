package dev.torg.bench.process;

import dev.torg.platform.Caller.Role;
import dev.torg.server.config.Configuration;
import dev.torg.server.config.Setting;
import dev.torg.server.config.SettingValues;
import dev.torg.server.run.TokenServiceFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The token of another system that calls Torg, signed with the keys of Torg's data directory.
public final class ServiceToken {
  private static final Duration LIFETIME = Duration.ofHours(12);

  private ServiceToken() {}

  public static String of(TorgProcess torg) {
    return of(torg, Role.SERVICE);
  }

  public static String of(TorgProcess torg, Role role) {
    Configuration configuration =
        Configuration.of(
            SettingValues.read(
                Map.of(Setting.DATA, torg.data().toString()), Map.of(), Optional.empty()));
    return TokenServiceFactory.existing(configuration)
        .issue("service:bench", Set.of(role), LIFETIME)
        .token();
  }
}
