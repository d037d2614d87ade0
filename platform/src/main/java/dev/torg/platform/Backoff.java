package dev.torg.platform;

import java.time.Duration;

/// Exponential backoff: the delay doubles with every failure, from the first one up to a maximum.
public record Backoff(Duration first, Duration max) {
  /// More doublings than this reach any maximum used here; fewer bits would be shifted out.
  private static final int MAX_DOUBLINGS = 30;

  /// The delay after the given number of consecutive failures, at least one.
  public Duration after(int failures) {
    int doublings = Math.clamp(failures - 1L, 0, MAX_DOUBLINGS);
    long nanos = first.toNanos();
    return nanos > max.toNanos() >> doublings ? max : Duration.ofNanos(nanos << doublings);
  }
}
