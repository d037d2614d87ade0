package dev.torg.bench.crash;

import dev.torg.bench.process.BenchServer;
import dev.torg.server.config.Role;
import dev.torg.server.config.Setting;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// A process of all roles, as `torg up` starts it, on a given database and an embedded Kafka.
public final class FullServer {
  private FullServer() {}

  public static void main(String[] arguments) throws InterruptedException {
    String roles =
        Arrays.stream(Role.values())
            .map(role -> role.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(","));
    BenchServer.serve(arguments, Map.of(Setting.ROLES, roles), (url, outbox) -> List.of());
  }
}
