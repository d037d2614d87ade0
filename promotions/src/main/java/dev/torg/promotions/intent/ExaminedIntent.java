package dev.torg.promotions.intent;

import dev.torg.api.v1.Offer;
import dev.torg.platform.OfferId;
import dev.torg.promotions.PromotedEntity;
import dev.torg.promotions.apply.EntityState;
import java.util.Optional;

/// A due intent with what was read about it, before it is decided.
///
/// @param offer the seller's active offer with the external id
/// @param purchase distinguishes this purchase from others of the intent in the references of the ledger; the same in every
///     attempt of the transaction
record ExaminedIntent(
    Intent intent, Optional<Offer> offer, IntentDecision.Prices prices, String purchase) {
  Optional<PromotedEntity> entity() {
    return offer.map(found -> PromotedEntity.of(OfferId.parse(found.getId())));
  }

  EntityState state() {
    return EntityState.of(offer.orElse(null));
  }

  /// The reference of the charge for a service, which a refund names.
  String reference(String service) {
    return "intent:" + purchase + ":" + service;
  }
}
