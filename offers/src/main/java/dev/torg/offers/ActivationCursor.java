package dev.torg.offers;

import java.time.Instant;

/// A position in the order of first activation: everything up to this time and, at this time, up to
/// this id lies behind it.
public record ActivationCursor(Instant time, long id) {
  /// Before everything activated at the given time.
  public static ActivationCursor before(Instant time) {
    return new ActivationCursor(time, Long.MIN_VALUE);
  }

  /// After everything activated at the given time.
  public static ActivationCursor after(Instant time) {
    return new ActivationCursor(time, Long.MAX_VALUE);
  }
}
