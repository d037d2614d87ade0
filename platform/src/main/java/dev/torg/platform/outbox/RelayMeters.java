package dev.torg.platform.outbox;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/// What an operator sees of the relay.
final class RelayMeters {
  private final Counter sent;
  private final Counter refused;
  private final Timer round;

  RelayMeters(MeterRegistry registry) {
    sent = registry.counter("torg.relay.sent");
    refused = registry.counter("torg.relay.refused");
    round = registry.timer("torg.relay.round");
  }

  void sent(int events, Duration took) {
    sent.increment(events);
    round.record(took);
  }

  void refused(int events) {
    refused.increment(events);
  }
}
