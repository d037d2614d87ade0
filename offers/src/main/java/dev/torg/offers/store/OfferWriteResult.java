package dev.torg.offers.store;

import dev.torg.api.v1.Offer;
import dev.torg.platform.OfferId;

/// What a command led to.
public sealed interface OfferWriteResult {
  /// The offer as it is now.
  record Current(Offer offer) implements OfferWriteResult {}

  /// The answer is another offer, made before.
  record ExistingOffer(OfferId offer) implements OfferWriteResult {}
}
