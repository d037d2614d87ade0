package dev.torg.platform.coalesce;

import dev.torg.platform.Failure;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Counts the items that wait in all lanes of a coalescer, and rejects further ones beyond a limit: in total,
/// in one lane, and of one caller.
///
/// - A lane holds at most a quarter of the capacity, or an equal share if there are few lanes: a lane that is
///   blocked, on a locked row for instance, leaves capacity to the others.
/// - A caller holds at most a quarter of the capacity: no caller fills the backlog alone. Items without a
///   caller (consumers, jobs, services) are counted in total and by lane only.
///
/// An item is counted before the closed flag is read. So once the flag is set and the count is zero, no item is
/// about to enter a lane.
final class Backlog {
  /// The fraction of the capacity that one lane, or one caller, may hold: a quarter.
  private static final int SHARE = 4;

  private final String name;
  private final int capacity;
  private final int laneCapacity;
  private final int callerCapacity;
  private final AtomicInteger waiting = new AtomicInteger();
  private final Map<String, Integer> byCaller = new ConcurrentHashMap<>();
  private volatile boolean closed;

  Backlog(String name, int capacity, int lanes) {
    this.name = name;
    this.capacity = capacity;
    this.laneCapacity = Math.ceilDiv(capacity, Math.min(lanes, SHARE));
    this.callerCapacity = Math.ceilDiv(capacity, SHARE);
  }

  /// Admits one item, or returns the reason for its rejection. `inLane` counts the items waiting in
  /// its lane.
  @Nullable Failure tryAdmit(AtomicInteger inLane, @Nullable String caller) {
    boolean isFull = waiting.incrementAndGet() > capacity;
    isFull |= inLane.incrementAndGet() > laneCapacity;
    boolean isCallersFull =
        caller != null && byCaller.merge(caller, 1, Integer::sum) > callerCapacity;
    if (!isFull && !isCallersFull && !closed) {
      return null;
    }
    release(inLane, caller);
    return refusal(isFull);
  }

  private Failure refusal(boolean isFull) {
    if (closed) {
      return Failure.unavailable("server.stopping", "the server is stopping, try again", null);
    }
    return isFull
        ? Failure.exhausted(name + ".full", "too many requests are waiting, try again later")
        : Failure.exhausted(
            name + ".caller-full", "too many of your requests are waiting, try again later");
  }

  void release(AtomicInteger inLane, @Nullable String caller) {
    if (caller != null) {
      byCaller.computeIfPresent(caller, (_, items) -> items == 1 ? null : items - 1);
    }
    inLane.decrementAndGet();
    waiting.decrementAndGet();
  }

  int size() {
    return waiting.get();
  }

  void close() {
    closed = true;
  }

  boolean isClosed() {
    return closed;
  }

  boolean isDrained() {
    return closed && waiting.get() == 0;
  }
}
