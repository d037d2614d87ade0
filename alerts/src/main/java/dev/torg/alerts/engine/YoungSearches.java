package dev.torg.alerts.engine;

import dev.torg.matching.SearchId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/// The searches announced in the last half hour: twice what another process may lag behind.
final class YoungSearches {
  static final Duration YOUNG = Duration.ofMinutes(30);

  private record Announced(SearchId id, Instant at) {}

  private final InstantSource clock;
  private final Deque<Announced> order = new ArrayDeque<>();
  private final Map<SearchId, Instant> latest = new HashMap<>();

  YoungSearches(InstantSource clock) {
    this.clock = clock;
  }

  synchronized void add(SearchId id, Instant at) {
    Instant oldest = clock.instant().minus(YOUNG);
    if (at.isAfter(oldest)) {
      order.addLast(new Announced(id, at));
      latest.put(id, at);
    }
    Announced first = order.peekFirst();
    while (first != null && !first.at.isAfter(oldest)) {
      order.removeFirst();
      latest.remove(first.id, first.at);
      first = order.peekFirst();
    }
  }

  synchronized boolean contains(SearchId id) {
    return latest.containsKey(id);
  }
}
