package dev.torg.server.access;

import java.time.Duration;

/// A number of calls in a period, spent at any pace: in a burst or evenly.
public record RateLimit(int calls, Duration per) {
  public RateLimit {
    if (calls < 1 || per.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException("a limit needs at least one call a millisecond or longer");
    }
  }

  /// `500 calls in 1 s`, for messages.
  @Override
  public String toString() {
    return calls
        + " calls in "
        + (per.toMillis() % 1000 == 0 ? per.toSeconds() + " s" : per.toMillis() + " ms");
  }
}
