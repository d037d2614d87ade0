package dev.torg.platform;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.function.LongSupplier;

/// Exponential back-off by key: a key that failed is not tried again for a while, twice as long with
/// every further failure, up to a bound. Other keys are not affected.
///
/// After the pause the key is on probation: one attempt decides whether it is clear again or pauses
/// for longer. Keys are kept in memory only, a bounded number of them, and are forgotten when they
/// have not failed for longer than the longest pause.
///
/// @param <K> has `equals` and `hashCode`
public final class KeyBackoff<K> {
  private static final int MAX_KEYS = 10_000;

  /// Doubling more often than this would overflow; the bound is reached long before.
  private static final int MAX_DOUBLINGS = 30;

  /// What may be done with a key now.
  public enum State {
    /// It has not failed lately.
    CLEAR,
    /// Its pause lasts.
    PAUSED,
    /// Its pause is over; the next attempt decides.
    PROBATION
  }

  private record Failures(int count, long untilNanos) {}

  private final long firstNanos;
  private final long maxNanos;
  private final LongSupplier nanos;
  private final Cache<K, Failures> failed;

  public KeyBackoff(Duration first, Duration longest, LongSupplier nanos) {
    this.firstNanos = first.toNanos();
    this.maxNanos = longest.toNanos();
    this.nanos = nanos;
    this.failed =
        Caffeine.newBuilder()
            .maximumSize(MAX_KEYS)
            .executor(Runnable::run)
            .ticker(nanos::getAsLong)
            .expireAfterWrite(longest.multipliedBy(2))
            .build();
  }

  /// No key has failed lately; cheaper than asking for each.
  public boolean isEmpty() {
    return failed.asMap().isEmpty();
  }

  public State state(K key) {
    Failures failures = failed.getIfPresent(key);
    if (failures == null) {
      return State.CLEAR;
    }
    return nanos.getAsLong() - failures.untilNanos < 0 ? State.PAUSED : State.PROBATION;
  }

  public void failed(K key) {
    failed.asMap().compute(key, (_, before) -> pause(before == null ? 1 : before.count + 1));
  }

  public void succeeded(K key) {
    failed.invalidate(key);
  }

  private Failures pause(int count) {
    int doublings = Math.min(count - 1, MAX_DOUBLINGS);
    long pause = firstNanos > maxNanos >> doublings ? maxNanos : firstNanos << doublings;
    return new Failures(count, nanos.getAsLong() + pause);
  }
}
