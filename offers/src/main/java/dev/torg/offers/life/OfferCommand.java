package dev.torg.offers.life;

import dev.torg.platform.OfferId;

/// Something that shall happen to one offer. Its id, time and token are fixed before the first
/// attempt, so that it may be decided again.
public interface OfferCommand {
  OfferId id();

  /// Microseconds since 1970.
  long at();

  /// Pure: decides from the situation alone, or throws a [dev.torg.platform.Failure].
  Decision decide(Situation situation);

  default boolean needsModeration() {
    return false;
  }

  default boolean needsPhotos() {
    return false;
  }
}
