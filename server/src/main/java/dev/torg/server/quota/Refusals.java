package dev.torg.server.quota;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/// Counts what was refused or cut because of a limit: `torg.refused` by kind.
public final class Refusals {
  private final Map<Kind, Counter> counters = new EnumMap<>(Kind.class);

  /// The limit.
  public enum Kind {
    /// Calls per time.
    RATE,
    /// Invalid tokens.
    BAD_TOKENS,
    CONNECTIONS,
    /// Calls in flight.
    CALLS,
    /// Endless streams.
    STREAMS,
    /// Memory of requests in progress.
    REQUEST_BYTES,
    /// Memory of responses that are not yet read.
    RESPONSE_BYTES,
    /// Larger than a response may be.
    RESPONSE_TOO_LARGE,
    /// Responses of which nothing was read for too long.
    STALLED,
    /// Concurrent photo uploads.
    UPLOADS
  }

  public Refusals(MeterRegistry registry) {
    for (Kind kind : Kind.values()) {
      counters.put(
          kind,
          Counter.builder("torg.refused")
              .description("What was refused or cut because of a limit")
              .tag("kind", kind.name().toLowerCase(Locale.ROOT).replace('_', '-'))
              .register(registry));
    }
  }

  public void count(Kind kind) {
    Counter counter = counters.get(kind);
    if (counter != null) {
      counter.increment();
    }
  }
}
