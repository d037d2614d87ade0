package dev.torg.bench.notifications;

import dev.torg.bench.process.BenchServer;
import java.util.List;
import java.util.Map;

/// The server of the benchmark: all of Torg.
public final class NotificationsServer {
  private NotificationsServer() {}

  public static void main(String[] arguments) throws InterruptedException {
    BenchServer.serve(arguments, Map.of(), (_, _) -> List.of());
  }
}
