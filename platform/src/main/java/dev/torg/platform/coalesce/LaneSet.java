package dev.torg.platform.coalesce;

import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The lanes of one coalescer with their common backlog.
final class LaneSet<E> implements AutoCloseable {
  /// Fibonacci hashing: spreads keys that follow each other.
  private static final int FIBONACCI_MULTIPLIER = 0x9E3779B9;

  private final Backlog backlog;
  private final List<Lane<E>> lanes = new ArrayList<>();

  private LaneSet(CoalescerSettings settings, int count) {
    this.backlog = new Backlog(settings.name(), settings.capacity(), count);
  }

  /// Each lane has one worker, so that it preserves the order of its items. `caller` returns the caller that an
  /// item is counted against.
  static <E> LaneSet<E> ordered(
      CoalescerSettings settings,
      Function<? super E, @Nullable String> caller,
      Consumer<List<E>> run) {
    int lanes = settings.oneHomePerBatch() ? Home.COUNT : settings.parallel();
    return new LaneSet<E>(settings, lanes).open(settings, lanes, 1, caller, run);
  }

  /// Workers share a queue as far as a batch may mix homes.
  static <E> LaneSet<E> unordered(
      CoalescerSettings settings,
      Function<? super E, @Nullable String> caller,
      Consumer<List<E>> run) {
    int lanes = settings.oneHomePerBatch() ? Home.COUNT : 1;
    int workers = settings.oneHomePerBatch() ? 1 : settings.parallel();
    return new LaneSet<E>(settings, lanes).open(settings, lanes, workers, caller, run);
  }

  private LaneSet<E> open(
      CoalescerSettings settings,
      int count,
      int workers,
      Function<? super E, @Nullable String> caller,
      Consumer<List<E>> run) {
    Semaphore permits = new Semaphore(settings.parallel(), true);
    Thread.Builder threads = threads(settings, count);
    for (int i = 0; i < count; i++) {
      lanes.add(new Lane<>(backlog, caller, permits, settings.maxBatch(), run));
    }
    lanes.forEach(lane -> lane.start(workers, threads));
    return this;
  }

  /// A few lanes get threads of their own, which wait for the database more cheaply; one for every
  /// home would be too many.
  private static Thread.Builder threads(CoalescerSettings settings, int lanes) {
    String name = "coalescer-" + settings.name() + "-";
    return lanes == Home.COUNT
        ? Thread.ofVirtual().name(name, 0)
        : Thread.ofPlatform().daemon().name(name, 0);
  }

  /// Adds the item to the lane of its home, or on plain PostgreSQL of its ordering key; returns why it was
  /// rejected, if it was.
  @Nullable Failure add(E item, Home home, int order) {
    return lane(home, order).add(item);
  }

  private Lane<E> lane(Home home, int order) {
    int count = lanes.size();
    int number =
        switch (count) {
          case 1 -> 0;
          case Home.COUNT -> home.number();
          default -> ((order * FIBONACCI_MULTIPLIER) >>> 16) % count;
        };
    return lanes.get(number);
  }

  int waiting() {
    return backlog.size();
  }

  /// Rejects new items and waits until all accepted ones have run.
  @Override
  public void close() {
    backlog.close();
    lanes.forEach(Lane::awaitEnd);
  }
}
