package dev.torg.bench.notifications;

import dev.torg.bench.process.ApiClient;
import dev.torg.bench.process.Drained;
import dev.torg.bench.process.ServiceToken;
import dev.torg.bench.process.TorgProcess;
import dev.torg.bench.report.ReportOptions;
import java.time.Duration;

/// The server of a run, for the parts of the benchmark.
///
/// @param client without a token
/// @param token of a service
record MeasuredServer(TorgProcess process, ApiClient client, String token, ReportOptions options) {
  static final Duration IDLE_TIMEOUT = Duration.ofMinutes(5);

  static MeasuredServer of(TorgProcess process, ApiClient client, ReportOptions options) {
    return new MeasuredServer(process, client, ServiceToken.of(process), options);
  }

  ApiClient service() {
    return client.with(token);
  }

  String database() {
    return process.running().database();
  }

  /// Waits until all events are sent, and for a checkpoint: a phase does not pay for the one before it.
  void rest() {
    Drained.awaitAndCheckpoint(process, IDLE_TIMEOUT);
  }

  static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }

  static double round(double value) {
    return Math.round(value * 100) / 100.0;
  }
}
