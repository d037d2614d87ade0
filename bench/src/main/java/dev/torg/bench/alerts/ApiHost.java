package dev.torg.bench.alerts;

import dev.torg.bench.process.BenchServer;
import dev.torg.bench.process.TorgProcess;
import dev.torg.server.config.Setting;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// A process that answers calls and holds PostgreSQL and Kafka, and does nothing else: what happens
/// in the background is left to processes beside it, which may die without it.
public final class ApiHost {
  private ApiHost() {}

  public static void main(String[] arguments) throws InterruptedException {
    BenchServer.serve(arguments, Map.of(Setting.ROLES, "api"), (url, outbox) -> List.of());
  }

  static TorgProcess start(Path data) {
    return TorgProcess.of(ApiHost.class, data);
  }
}
