package dev.torg.bench.alerts;

import dev.torg.bench.process.BenchServer;
import dev.torg.bench.process.TorgProcess;
import dev.torg.server.config.Setting;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// A process that serves calls and embeds PostgreSQL and Kafka, and does nothing else: background work is left
/// to other processes, which may die without it.
public final class ApiHost {
  private ApiHost() {}

  public static void main(String[] arguments) throws InterruptedException {
    BenchServer.serve(arguments, Map.of(Setting.ROLES, "api"), (url, outbox) -> List.of());
  }

  /// A process of the same cluster that relays, matches and delivers alerts, in a directory of its own.
  static TorgProcess worker(TorgProcess host, String name) {
    Path own = host.data().resolveSibling(name);
    return TorgProcess.serve(
        own, host, List.of("--roles", "relay,alerts,jobs", "--log-level", "warn"));
  }

  static TorgProcess start(Path data) {
    return TorgProcess.of(ApiHost.class, data);
  }
}
