package dev.torg.platform.relay;

import dev.torg.platform.Home;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

/// The relay's metrics. Each value is maintained by the rounds themselves: reading it never waits for the
/// database.
final class RelayMetrics {
  private final Counter sent;
  private final Counter refused;
  private final Timer round;

  /// Blocked keys of each group that this process relays; other processes report their own groups.
  private final AtomicIntegerArray blocked = new AtomicIntegerArray(Home.GROUPS);

  RelayMetrics(MeterRegistry registry) {
    sent = registry.counter("torg.relay.sent");
    refused = registry.counter("torg.relay.refused");
    round = registry.timer("torg.relay.round");
    Gauge.builder("torg.relay.blocked", this, RelayMetrics::allBlocked)
        .strongReference(true)
        .description("keys that Kafka refuses, whose events wait")
        .register(registry);
  }

  void sent(int events, Duration elapsed) {
    sent.increment(events);
    round.record(elapsed);
  }

  void refused(int events) {
    refused.increment(events);
  }

  void blocked(int group, int keys) {
    blocked.set(group, keys);
  }

  private double allBlocked() {
    return IntStream.range(0, Home.GROUPS).map(blocked::get).sum();
  }
}
