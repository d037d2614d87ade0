package dev.torg.photos.prepare;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/// Metrics of photo preparation.
public final class PhotoMetrics {
  private final MeterRegistry registry;
  private final Timer seconds;

  public PhotoMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.seconds =
        Timer.builder("torg.photos")
            .description("from the first attempt at a request to its answer")
            .publishPercentileHistogram()
            .register(registry);
  }

  Timer.Sample begin() {
    return Timer.start(registry);
  }

  void ready(Timer.Sample sample, boolean stored) {
    sample.stop(seconds);
    registry.counter("torg.photos.ready", "content", stored ? "new" : "known").increment();
  }

  void failed(Timer.Sample sample, String reason) {
    sample.stop(seconds);
    registry.counter("torg.photos.failed", "reason", reason).increment();
  }

  void answerRepeated() {
    registry.counter("torg.photos.answered.again").increment();
  }

  void deferred(String reason) {
    registry.counter("torg.photos.later", "reason", reason).increment();
  }
}
