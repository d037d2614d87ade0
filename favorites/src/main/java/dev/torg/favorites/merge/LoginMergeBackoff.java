package dev.torg.favorites.merge;

import java.time.Duration;

/// The pause after an attempt to resume a login merge: a minute, doubled with each attempt, at most an hour.
final class LoginMergeBackoff {
  private static final Duration FIRST = Duration.ofMinutes(1);
  private static final Duration MAX = Duration.ofHours(1);

  /// From here on doubling exceeds the maximum.
  private static final int MAX_DOUBLINGS = 6;

  private LoginMergeBackoff() {}

  /// @param attempt counted from 1
  static Duration after(int attempt) {
    Duration pause = FIRST.multipliedBy(1L << Math.min(attempt - 1, MAX_DOUBLINGS));
    return pause.compareTo(MAX) < 0 ? pause : MAX;
  }
}
