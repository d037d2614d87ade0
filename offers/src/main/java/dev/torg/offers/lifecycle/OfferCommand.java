package dev.torg.offers.lifecycle;

import dev.torg.platform.OfferId;

/// Something that shall happen to one offer. Its id, time and token are fixed before the first
/// attempt, so that it may be decided again.
public interface OfferCommand {
  OfferId id();

  /// Microseconds since 1970.
  long at();

  /// Pure: decides from the situation alone, or throws a [dev.torg.platform.Failure].
  Decision decide(Situation situation);

  /// What it is likely to wait for when another transaction holds it: the offer, or its seller's counts.
  default Object lockKey() {
    return id();
  }

  default boolean needsModeration() {
    return false;
  }

  default boolean needsPhotos() {
    return false;
  }
}
