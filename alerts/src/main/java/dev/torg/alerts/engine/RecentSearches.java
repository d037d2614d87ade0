package dev.torg.alerts.engine;

import dev.torg.matching.SearchId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/// The searches that the former owner of a partition may not have known: those announced in the last half
/// hour, twice the assumed lag of a process; and, for the first half hour after a start, those announced
/// in the half hour before the last offer was handled, however long ago.
final class RecentSearches {
  static final Duration RECENT = Duration.ofMinutes(30);

  private record Announced(SearchId id, Instant at) {}

  private final InstantSource clock;
  private final Deque<Announced> order = new ArrayDeque<>();
  private final Map<SearchId, Instant> announcedAt = new HashMap<>();
  private Instant startedFrom = Instant.MAX;
  private Instant startupEnd = Instant.MIN;

  RecentSearches(InstantSource clock) {
    this.clock = clock;
  }

  /// Offers after the given time will be handled.
  synchronized void start(Instant lastOffer) {
    startedFrom = lastOffer;
    startupEnd = clock.instant().plus(RECENT);
  }

  /// A search announced earlier is known to every process.
  synchronized Instant oldest() {
    Instant now = clock.instant();
    boolean starting = now.isBefore(startupEnd) && startedFrom.isBefore(now);
    return (starting ? startedFrom : now).minus(RECENT);
  }

  synchronized void add(SearchId id, Instant at) {
    Instant oldest = oldest();
    if (at.isAfter(oldest)) {
      order.addLast(new Announced(id, at));
      announcedAt.put(id, at);
    }
    Announced first = order.peekFirst();
    while (first != null && !first.at.isAfter(oldest)) {
      order.removeFirst();
      announcedAt.remove(first.id, first.at);
      first = order.peekFirst();
    }
  }

  synchronized boolean contains(SearchId id) {
    return announcedAt.containsKey(id);
  }
}
