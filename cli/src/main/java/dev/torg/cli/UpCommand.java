package dev.torg.cli;

import dev.torg.server.DevelopmentLogin;
import dev.torg.server.config.Configuration;
import dev.torg.server.config.Role;
import dev.torg.server.config.Setting;
import dev.torg.server.run.Logging;
import dev.torg.server.run.Torg;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// Runs everything in one process, with PostgreSQL and Kafka embedded unless given.
@Command(
    name = "up",
    description = "Runs all of Torg here, PostgreSQL and Kafka embedded, until Ctrl-C.")
final class UpCommand implements Callable<Integer> {
  @CommandLine.Spec CommandLine.Model.CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    Map<Setting, String> everything = Map.of(Setting.ROLES, allRoles());
    Configuration configuration =
        Configuration.of(SettingOptions.settings(spec.commandLine().getParseResult(), everything));
    Path log = Logging.toFile(configuration);
    Torg torg = Torg.start(configuration, spec.commandLine().getErr()::println);
    spec.commandLine().getOut().println(welcome(torg, configuration, log));
    return torg.awaitEnd();
  }

  private static String allRoles() {
    return Arrays.stream(Role.values())
        .map(role -> role.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(","));
  }

  private static String welcome(Torg torg, Configuration configuration, Path log) {
    String address = torg.running().address();
    return """

        Torg is up at %1$s
          data        %2$s
          log         %6$s
          PostgreSQL  %3$s
          Kafka       %4$s

        Try next:
          curl %1$s/health
          %5$s
          curl %1$s/v1/offers -H "Authorization: Bearer $TOKEN" \\
            -d '{"offer":{"category":"electronics","title":"A bicycle lamp","price":{"amount":"1900","currency":"EUR"}}}'
          open %1$s/docs in a browser, or run ./torg demo

        Stop with Ctrl-C; everything is kept."""
        .formatted(
            address,
            configuration.data(),
            torg.running().describedDatabase(),
            torg.running().kafka(),
            token(address, configuration),
            log);
  }

  /// How to get a token: where the development login is off, only the operator can issue one.
  private static String token(String address, Configuration configuration) {
    if (configuration.login() == DevelopmentLogin.OFF) {
      return "TOKEN=$(./torg token --data %s --subject user:42 --role user)"
          .formatted(configuration.data());
    }
    return """
        TOKEN=$(curl -s %s/v1/login -d '{"userId":"42"}' | sed 's/.*"token": *"\\([^"]*\\)".*/\\1/')"""
        .formatted(address);
  }
}
