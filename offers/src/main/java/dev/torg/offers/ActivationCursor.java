package dev.torg.offers;

import java.time.Instant;

/// A position in the order of first activation. It follows every offer activated earlier, and at the same
/// time every offer up to this id.
public record ActivationCursor(Instant time, long id) {
  /// Precedes all offers activated at the given time.
  public static ActivationCursor before(Instant time) {
    return new ActivationCursor(time, Long.MIN_VALUE);
  }

  /// Follows all offers activated at the given time.
  public static ActivationCursor after(Instant time) {
    return new ActivationCursor(time, Long.MAX_VALUE);
  }
}
