package dev.torg.notifications.dispatch;

import dev.torg.notifications.Channel;
import dev.torg.notifications.DeliveryProvider;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryOutcome.Delivered;
import dev.torg.notifications.channel.DeliveryOutcome.Refused;
import dev.torg.notifications.channel.DeliveryOutcome.Rejected;
import dev.torg.notifications.channel.DeliveryOutcome.TargetGone;
import dev.torg.notifications.channel.DeliveryOutcome.Unknown;
import dev.torg.notifications.delivery.SuppressionReason;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// Metrics of deliveries.
public final class DeliveryMetrics {
  private final MeterRegistry registry;

  public DeliveryMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  void outcome(Channel channel, String topic, DeliveryOutcome outcome) {
    switch (outcome) {
      case Delivered _ -> sent(channel, topic);
      case Unknown unknown -> failed(channel, topic, "unknown-" + unknown.reason());
      case Refused refused -> failed(channel, topic, "refused-" + refused.reason());
      case Rejected rejected -> failed(channel, topic, "rejected-" + rejected.reason());
      case TargetGone gone -> failed(channel, topic, "gone-" + gone.reason());
    }
  }

  private void sent(Channel channel, String topic) {
    Counter.builder("torg.delivery.sent")
        .description("Messages that a provider accepted")
        .tags("channel", channel.code(), "topic", topic)
        .register(registry)
        .increment();
  }

  private void failed(Channel channel, String topic, String reason) {
    Counter.builder("torg.delivery.failed")
        .description("Attempts that did not deliver, by what is known about them")
        .tags("channel", channel.code(), "topic", topic, "reason", reason)
        .register(registry)
        .increment();
  }

  void suppressed(Channel channel, String topic, SuppressionReason reason) {
    Counter.builder("torg.delivery.suppressed")
        .description("Messages that were not sent, by the reason")
        .tags("channel", channel.code(), "topic", topic, "reason", reason.code())
        .register(registry)
        .increment();
  }

  /// Of a push to iOS with buttons.
  ///
  /// @param problem `missing` or `unknown`
  void withoutCategory(String problem) {
    Counter.builder("torg.delivery.ios.plain")
        .description("Pushes to iOS sent without buttons for lack of a known category")
        .tag("category", problem)
        .register(registry)
        .increment();
  }

  Timer latency(DeliveryProvider provider) {
    return Timer.builder("torg.delivery.provider")
        .description("Time of an attempt")
        .tag("provider", provider.code())
        .publishPercentileHistogram()
        .register(registry);
  }

  void breaker(DeliveryProvider provider, Supplier<CircuitBreaker.State> state) {
    Gauge.builder("torg.delivery.breaker.open", () -> openness(state.get()))
        .description("Circuit breaker of a provider: 0 closed, 0.5 trying again, 1 open")
        .tag("provider", provider.code())
        .register(registry);
  }

  void openHosts(DeliveryProvider provider, LongSupplier hosts) {
    Gauge.builder("torg.delivery.hosts.open", hosts::getAsLong)
        .description("Hosts of webhooks and web pushes whose circuit breaker is not closed")
        .tag("provider", provider.code())
        .register(registry);
  }

  void inFlight(Channel channel, IntSupplier messages) {
    Gauge.builder("torg.delivery.in.flight", messages::getAsInt)
        .description("Messages that were claimed and are being sent by this process")
        .tag("channel", channel.code())
        .register(registry);
  }

  /// @param operations of the homes that this process delivers
  void backlog(Channel channel, LongSupplier operations, DoubleSupplier ageSeconds) {
    Gauge.builder("torg.delivery.queue.operations", operations::getAsLong)
        .description("Operations that wait, due or held back, in the homes of this process")
        .tag("channel", channel.code())
        .register(registry);
    Gauge.builder("torg.delivery.queue.age", ageSeconds::getAsDouble)
        .description("How long the oldest of them is overdue")
        .baseUnit("seconds")
        .tag("channel", channel.code())
        .register(registry);
  }

  private static double openness(CircuitBreaker.State state) {
    return switch (state) {
      case OPEN, FORCED_OPEN -> 1;
      case HALF_OPEN -> 0.5;
      case CLOSED, DISABLED, METRICS_ONLY -> 0;
    };
  }
}
