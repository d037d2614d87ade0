package dev.torg.bench.alerts;

import dev.torg.bench.process.BenchServer;
import dev.torg.bench.process.TorgProcess;
import dev.torg.server.config.Setting;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A process that serves calls and embeds Kafka and, unless a database is given, PostgreSQL, and does nothing else:
/// background work runs in other processes, which may die without affecting it.
public final class ApiHost {
  private ApiHost() {}

  public static void main(String[] arguments) throws InterruptedException {
    BenchServer.serve(arguments, Map.of(Setting.ROLES, "api"), (url, outbox) -> List.of());
  }

  /// A process of the same cluster that relays, matches and delivers alerts, with its own
  /// directory.
  static TorgProcess worker(TorgProcess host, String name) {
    Path own = host.data().resolveSibling(name);
    return TorgProcess.serve(
        own, host, List.of("--roles", "relay,alerts,jobs", "--log-level", "warn"));
  }

  static TorgProcess start(Path data) {
    return start(data, Optional.empty());
  }

  public static TorgProcess start(Path data, Optional<String> database) {
    return TorgProcess.of(ApiHost.class, data, database);
  }
}
