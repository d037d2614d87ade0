package dev.torg.platform.coalesce;

import java.time.Duration;

/// Decides how long a worker waits for further items before it takes its next batch. When a batch has
/// completed, its callers' next requests have not arrived yet; a worker that took the first few of them
/// immediately would continue with small batches for ever.
final class GatherTime {
  /// Batches of at least this size indicate that callers arrive together.
  static final int MIN_BATCH = 8;

  static final Duration MAX = Duration.ofMillis(5);

  /// The part of a batch's time that is spent on waiting for the next one's items: a quarter.
  private static final int DIVISOR = 4;

  private GatherTime() {}

  /// Nothing after a small batch, or when the last one is longer ago than the longest wait: a lone item is
  /// served immediately. Nothing either if enough items wait already.
  ///
  /// @param lastSize the items of the last batch
  /// @param lastNanos how long it ran
  /// @param nanosSince how long ago it ended
  /// @param waiting the items that wait now
  static long nanos(int lastSize, long lastNanos, long nanosSince, int waiting, int maxBatch) {
    if (lastSize < MIN_BATCH || nanosSince >= MAX.toNanos() || waiting >= maxBatch) {
      return 0;
    }
    return Math.min(lastNanos / DIVISOR, MAX.toNanos());
  }
}
