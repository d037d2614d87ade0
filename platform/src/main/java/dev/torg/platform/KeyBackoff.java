package dev.torg.platform;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.function.LongSupplier;

/// Exponential [Backoff] by key: a key that failed is not tried again for a while; other keys are not affected.
///
/// After the pause the key is on probation: one attempt decides whether it is clear again or pauses
/// for longer. A bounded number of keys is held in memory; a key is dropped when it has not failed for twice the
/// longest pause.
///
/// @param <K> has `equals` and `hashCode`
public final class KeyBackoff<K> {
  private static final int MAX_KEYS = 10_000;

  /// Whether a key may be tried.
  public enum State {
    /// It has not failed recently.
    CLEAR,
    /// Its pause has not ended.
    PAUSED,
    /// Its pause has ended; the next attempt decides.
    PROBATION
  }

  private record Failures(int count, long untilNanos) {}

  private final Backoff backoff;
  private final LongSupplier nanos;
  private final Cache<K, Failures> failed;

  public KeyBackoff(Duration first, Duration max, LongSupplier nanos) {
    this.backoff = new Backoff(first, max);
    this.nanos = nanos;
    this.failed =
        Caffeine.newBuilder()
            .maximumSize(MAX_KEYS)
            .executor(Runnable::run)
            .ticker(nanos::getAsLong)
            .expireAfterWrite(max.multipliedBy(2))
            .build();
  }

  /// Whether no key has failed recently; cheaper than checking each key.
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
    return new Failures(count, nanos.getAsLong() + backoff.after(count).toNanos());
  }
}
