package dev.torg.bench.photos;

import dev.torg.bench.process.TorgProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// Samples the server's heap a few times a second, and reads the peak memory of the process from
/// the system: images are decoded outside the heap, too.
final class ServerMemory implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final double MEGA = 1024 * 1024;

  private final TorgProcess server;
  private final HttpClient client = HttpClient.newHttpClient();
  private final Thread watching;
  private volatile double peak;
  private volatile boolean ended;

  ServerMemory(TorgProcess server) {
    this.server = server;
    this.watching = Thread.ofVirtual().start(this::watch);
  }

  double peakHeapMb() {
    return Math.round(peak / MEGA);
  }

  /// Of the server's JVM; 0 where the system does not report it.
  double peakResidentMb() {
    Path status = Path.of("/proc", Long.toString(server.pid()), "status");
    try (var lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) / 1024)
          .map(Math::round)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }

  private void watch() {
    while (!ended) {
      peak = Math.max(peak, heap());
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  private double heap() {
    try {
      HttpRequest metrics =
          HttpRequest.newBuilder(URI.create(server.address() + "/metrics")).build();
      return client
          .send(metrics, BodyHandlers.ofString())
          .body()
          .lines()
          .filter(line -> line.startsWith("jvm_memory_used_bytes{area=\"heap\""))
          .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
          .sum();
    } catch (IOException e) {
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  @Override
  public void close() {
    ended = true;
    try {
      watching.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    client.close();
  }
}
