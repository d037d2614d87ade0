package dev.torg.offers.lifecycle;

import dev.torg.platform.OfferId;

/// A change of one offer. Its id, time and token are fixed before the first attempt, so that it can be
/// decided repeatedly.
public interface OfferCommand {
  OfferId id();

  /// Microseconds since 1970.
  long at();

  /// Pure: decides from the situation alone, or throws a [dev.torg.platform.Failure].
  Decision decide(Situation situation);

  /// The rows that this command is likely to contend for: the offer, or its seller's counts.
  default Object lockKey() {
    return id();
  }

  default boolean needsModeration() {
    return false;
  }

  default boolean needsPhotos() {
    return false;
  }

  default boolean needsPromotions() {
    return false;
  }
}
