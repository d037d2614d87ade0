package dev.torg.offers;

import java.time.Instant;

/// A position among the offers of a home in the order in which they expire: the next page begins after it.
public record ExpiryCursor(Instant expiresAt, long id) {
  /// Behind all offers that expire at the given time or before.
  public static ExpiryCursor after(Instant time) {
    return new ExpiryCursor(time, Long.MAX_VALUE);
  }
}
