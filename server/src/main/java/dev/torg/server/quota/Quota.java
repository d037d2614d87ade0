package dev.torg.server.quota;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// How much of a resource is in use, by key and in total. An amount is released under the key it
/// was acquired with.
public final class Quota {
  private final Bound bound;
  private final AtomicLong used = new AtomicLong();
  private final Map<String, Long> byKey = new ConcurrentHashMap<>();

  /// Whether it was acquired, or which of the two bounds refused it.
  public enum Outcome {
    ACQUIRED,
    KEY_FULL,
    TOTAL_FULL
  }

  public Quota(Bound bound) {
    this.bound = bound;
  }

  /// @param key null counts in total only
  public Outcome tryAcquire(@Nullable String key, long amount) {
    if (used.addAndGet(amount) > bound.total()) {
      used.addAndGet(-amount);
      return Outcome.TOTAL_FULL;
    }
    if (key != null && byKey.merge(key, amount, Long::sum) > bound.perKey()) {
      release(key, amount);
      return Outcome.KEY_FULL;
    }
    return Outcome.ACQUIRED;
  }

  public void release(@Nullable String key, long amount) {
    used.addAndGet(-amount);
    if (key != null) {
      byKey.computeIfPresent(key, (_, count) -> count == amount ? null : count - amount);
    }
  }

  public long used() {
    return used.get();
  }

  public long used(String key) {
    return byKey.getOrDefault(key, 0L);
  }
}
