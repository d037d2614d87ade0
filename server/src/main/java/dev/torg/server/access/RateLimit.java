package dev.torg.server.access;

import java.time.Duration;

/// So many calls in such a time, spent as the caller likes: all at once or evenly.
public record RateLimit(int calls, Duration per) {
  public RateLimit {
    if (calls < 1 || per.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException("a limit needs at least one call a millisecond or longer");
    }
  }

  /// `500 calls in 1 s`, for people.
  @Override
  public String toString() {
    return calls
        + " calls in "
        + (per.toMillis() % 1000 == 0 ? per.toSeconds() + " s" : per.toMillis() + " ms");
  }
}
