package dev.torg.bench.delivery;

import dev.torg.bench.process.TorgProcess;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Two processes that relay, write and deliver notifications, next to one that serves calls.
final class DeliveryWorkers implements AutoCloseable {
  private final TorgProcess host;
  private final Path credentials;
  private final String fcmUrl;
  private final List<TorgProcess> workers = new ArrayList<>();
  private final List<Instant> kills = new ArrayList<>();

  private DeliveryWorkers(TorgProcess host, Path credentials, String fcmUrl) {
    this.host = host;
    this.credentials = credentials;
    this.fcmUrl = fcmUrl;
  }

  static DeliveryWorkers start(TorgProcess host, Path credentials, String fcmUrl) {
    DeliveryWorkers started = new DeliveryWorkers(host, credentials, fcmUrl);
    started.workers.add(started.worker(0));
    started.workers.add(started.worker(1));
    return started;
  }

  private TorgProcess worker(int number) {
    return TorgProcess.serve(
        host.data().resolveSibling("worker" + number),
        host,
        List.of(
            "--roles",
            "relay,jobs,delivery",
            "--push-fcm-credentials",
            credentials.toString(),
            "--push-fcm-url",
            fcmUrl,
            "--log-level",
            "warn"));
  }

  void kill(int number) {
    workers.get(number).kill();
    kills.add(Instant.now());
  }

  void restart(int number) {
    workers.set(number, worker(number));
  }

  /// The times at which a process had ended by a kill.
  List<Instant> kills() {
    return List.copyOf(kills);
  }

  @Override
  public void close() {
    workers.forEach(TorgProcess::kill);
  }
}
