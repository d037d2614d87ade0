package dev.torg.bench.feed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// Samples a server's heap a few times a second and records the maximum, garbage included.
final class PeakHeap implements AutoCloseable {
  /// A scrape costs some milliseconds of the server that is measured.
  private static final Duration EVERY = Duration.ofSeconds(2);

  private static final double MEGABYTE = 1 << 20;

  private final HttpClient http = HttpClient.newHttpClient();
  private final HttpRequest request;
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private volatile double peak;

  PeakHeap(String address) {
    request = HttpRequest.newBuilder(URI.create(address + "/metrics")).build();
    timer.scheduleWithFixedDelay(this::sample, 0, EVERY.toMillis(), TimeUnit.MILLISECONDS);
  }

  double megabytes() {
    return Math.round(peak / MEGABYTE);
  }

  private void sample() {
    try {
      String metrics = http.send(request, HttpResponse.BodyHandlers.ofString()).body();
      double used =
          metrics
              .lines()
              .filter(line -> line.startsWith("jvm_memory_used_bytes{area=\"heap\""))
              .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
              .sum();
      peak = Math.max(peak, used);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
    http.close();
  }
}
