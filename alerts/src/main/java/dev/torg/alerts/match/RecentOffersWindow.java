package dev.torg.alerts.match;

import dev.torg.alerts.event.AlertContent;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferEvent;
import dev.torg.platform.db.StoredProto;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The offers of this process's partitions handled in the last 15 minutes, or as many as fit into memory:
/// a search that reaches the engine later is matched against them.
///
/// An offer is added before it is matched. So for a concurrent offer and search, either the match finds
/// the search, or the search, once added, finds the offer here.
final class RecentOffersWindow {
  static final Duration WINDOW = Duration.ofMinutes(15);

  /// An active offer of an event, with the event's bytes and the time it was handled.
  @SuppressWarnings("ArrayRecordComponent")
  record RecentOffer(Instant handledAt, AlertContent content, byte[] event) {
    /// Approximate memory in addition to the bytes.
    private static final int ENTRY_OVERHEAD_BYTES = 400;

    int size() {
      return event.length + ENTRY_OVERHEAD_BYTES;
    }

    Offer offer() {
      return StoredProto.parse(OfferEvent.parser(), event, "event").getAfter();
    }
  }

  /// The offers handled since a time, and whether they are complete.
  record Slice(List<RecentOffer> offers, boolean complete) {}

  private static final class Window {
    final Deque<RecentOffer> offers = new ArrayDeque<>();
    Instant lastDropped = Instant.MIN;
  }

  private final Map<Integer, Window> windows = new HashMap<>();
  private final InstantSource clock;
  private final long maxBytes;
  private long bytes;

  RecentOffersWindow(InstantSource clock, long maxBytes) {
    this.clock = clock;
    this.maxBytes = maxBytes;
  }

  /// Offers handled by the former owner before the 15 minutes that are replayed never arrive here.
  synchronized void assign(int partition) {
    revoke(partition);
    Window window = new Window();
    window.lastDropped = clock.instant().minus(WINDOW);
    windows.put(partition, window);
  }

  synchronized void revoke(int partition) {
    Window revoked = windows.remove(partition);
    if (revoked != null) {
      revoked.offers.forEach(recentOffer -> bytes -= recentOffer.size());
    }
  }

  synchronized int partitions() {
    return windows.size();
  }

  /// @param event the event's bytes
  synchronized void add(int partition, AlertContent content, byte[] event) {
    Window window = windows.computeIfAbsent(partition, _ -> new Window());
    RecentOffer recentOffer = new RecentOffer(clock.instant(), content, event);
    window.offers.addLast(recentOffer);
    bytes += recentOffer.size();
    Instant oldest = recentOffer.handledAt().minus(WINDOW);
    RecentOffer first = window.offers.peekFirst();
    while (first != null && (bytes > maxBytes || first.handledAt().isBefore(oldest))) {
      window.offers.removeFirst();
      bytes -= first.size();
      window.lastDropped = first.handledAt();
      first = window.offers.peekFirst();
    }
  }

  synchronized Slice since(Instant time) {
    List<RecentOffer> offers = new ArrayList<>();
    boolean complete = true;
    for (Window window : windows.values()) {
      complete &= window.lastDropped.isBefore(time);
      for (var newestFirst = window.offers.descendingIterator(); newestFirst.hasNext(); ) {
        RecentOffer recentOffer = newestFirst.next();
        if (recentOffer.handledAt().isBefore(time)) {
          break;
        }
        offers.add(recentOffer);
      }
    }
    return new Slice(offers, complete);
  }
}
