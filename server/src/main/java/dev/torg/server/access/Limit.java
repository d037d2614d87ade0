package dev.torg.server.access;

import java.time.Duration;

/// So many calls in such a time, spent as the caller likes: all at once or evenly.
public record Limit(int calls, Duration per) {
  public Limit {
    if (calls < 1 || per.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException("a limit needs at least one call a millisecond or longer");
    }
  }
}
