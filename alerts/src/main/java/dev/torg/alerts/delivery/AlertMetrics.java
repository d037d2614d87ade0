package dev.torg.alerts.delivery;

import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertReason;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/// Metrics of alerts: the time from the commit of a change to the notification, and the outcome.
public final class AlertMetrics {
  private static final Duration[] STEPS = {
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(150),
    Duration.ofMillis(250),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofSeconds(2),
    Duration.ofSeconds(5),
    Duration.ofSeconds(15),
    Duration.ofMinutes(1),
    Duration.ofMinutes(5)
  };

  private final MeterRegistry registry;

  public AlertMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  void written(AlertContent content, AlertReason reason, String mode, Instant now) {
    registry.counter("torg.alerts.written", "reason", tag(reason), "way", mode).increment();
    Duration elapsed = Duration.between(content.causedAt(), now);
    Timer.builder("torg.alerts.commit.to.written")
        .description("From the commit of an offer's change to the notification's")
        .tag("type", content.isNew() ? "new" : "price")
        .serviceLevelObjectives(STEPS)
        .register(registry)
        .record(elapsed.isNegative() ? Duration.ZERO : elapsed);
  }

  /// Offers of a storm that a recipient was notified of in one entry.
  void storm(AlertReason reason, String mode, int offers) {
    registry.counter("torg.alerts.written", "reason", tag(reason), "way", mode).increment(offers);
  }

  /// Already notified.
  void deduplicated(AlertReason reason) {
    deduplicated(reason, 1);
  }

  /// The same for several offers.
  void deduplicated(AlertReason reason, int offers) {
    registry.counter("torg.alerts.deduplicated", "reason", tag(reason)).increment(offers);
  }

  /// Not delivered: no rule matches, or the offer is not eligible any more.
  void dropped(String cause) {
    registry.counter("torg.alerts.dropped", "cause", cause).increment();
  }

  private static String tag(AlertReason reason) {
    return reason.kind().name().toLowerCase(Locale.ROOT);
  }
}
