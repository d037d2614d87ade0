package dev.torg.offers.store;

import dev.torg.api.v1.Offer;
import dev.torg.platform.OfferId;

/// The result of a command.
public sealed interface OfferWriteResult {
  /// The offer after the command.
  record Current(Offer offer) implements OfferWriteResult {}

  /// Another offer, which was created before.
  record ExistingOffer(OfferId offer) implements OfferWriteResult {}
}
