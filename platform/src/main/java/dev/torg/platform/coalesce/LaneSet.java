package dev.torg.platform.coalesce;

import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.db.ShardMap;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The lanes of one coalescer with their common backlog: one lane per shard where tables are distributed, otherwise
/// as many as batches run concurrently.
///
/// The lane of a home never changes, so that the items of a home keep their order. After a shard was split, the items of
/// a lane are of several shards; the batch is split when it runs.
final class LaneSet<E> implements AutoCloseable {
  /// Fibonacci hashing: spreads keys that follow each other.
  private static final int FIBONACCI_MULTIPLIER = 0x9E3779B9;

  private final ShardMap shards;
  private final Backlog backlog;
  private final List<Lane<E>> lanes = new ArrayList<>();

  private LaneSet(CoalescerSettings settings, int count) {
    this.shards = settings.shards();
    this.backlog = new Backlog(settings.name(), settings.capacity(), count);
  }

  /// Each lane has one worker, so that it preserves the order of its items. `caller` returns the caller that an
  /// item is counted against.
  static <E> LaneSet<E> ordered(
      CoalescerSettings settings,
      Function<? super E, @Nullable String> caller,
      Consumer<List<E>> run) {
    int lanes = isSharded(settings) ? settings.shards().count() : settings.parallel();
    return new LaneSet<E>(settings, lanes).open(settings, lanes, 1, caller, run);
  }

  /// Workers share a queue where a batch may mix homes.
  static <E> LaneSet<E> unordered(
      CoalescerSettings settings,
      Function<? super E, @Nullable String> caller,
      Consumer<List<E>> run) {
    int lanes = settings.shards().count();
    int workers = isSharded(settings) ? 1 : settings.parallel();
    return new LaneSet<E>(settings, lanes).open(settings, lanes, workers, caller, run);
  }

  private static boolean isSharded(CoalescerSettings settings) {
    return settings.shards().count() > 1;
  }

  private LaneSet<E> open(
      CoalescerSettings settings,
      int count,
      int workers,
      Function<? super E, @Nullable String> caller,
      Consumer<List<E>> run) {
    Semaphore permits = new Semaphore(settings.parallel(), true);
    // Platform threads wait for the database at lower cost than virtual ones.
    Thread.Builder threads =
        Thread.ofPlatform().daemon().name("coalescer-" + settings.name() + "-", 0);
    for (int i = 0; i < count; i++) {
      lanes.add(new Lane<>(backlog, caller, permits, settings.maxBatch(), run));
    }
    lanes.forEach(lane -> lane.start(workers, threads));
    return this;
  }

  /// Adds the item to the lane of its shard, or on plain PostgreSQL of its ordering key; returns why it was
  /// rejected, if it was.
  @Nullable Failure add(E item, Home home, int order) {
    return lane(home, order).add(item);
  }

  private Lane<E> lane(Home home, int order) {
    int number =
        shards.count() > 1
            ? shards.shardOf(home)
            : ((order * FIBONACCI_MULTIPLIER) >>> 16) % lanes.size();
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
