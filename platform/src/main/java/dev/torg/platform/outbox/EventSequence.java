package dev.torg.platform.outbox;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/// The order of an aggregate's events: the clock in µs, raised above the aggregate's previous value, so it
/// never decreases, even when the clocks of several machines differ.
public final class EventSequence {
  private final InstantSource clock;

  public EventSequence(InstantSource clock) {
    this.clock = clock;
  }

  /// Of a new aggregate.
  public long first() {
    return after(0);
  }

  /// The next value of an aggregate whose row, locked by the caller, holds the given one.
  public long after(long previous) {
    return Math.max(ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant()), previous + 1);
  }
}
