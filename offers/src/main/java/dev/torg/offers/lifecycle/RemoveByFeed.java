package dev.torg.offers.lifecycle;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.OfferId;
import java.util.List;

/// Removes an offer that the seller's feed no longer names. A sold offer stays: its status is final, while
/// a removed offer could be restored and sold again.
public record RemoveByFeed(OfferId id, long at) implements OfferCommand {
  @Override
  public Decision decide(Situation situation) {
    Offer.Builder offer = situation.existing().shown().toBuilder();
    if (offer.getStatus() == Status.REMOVED || offer.getStatus() == Status.SOLD) {
      return new Decision.NoChange(List.of());
    }
    StatusTransitions.transition(offer, Status.REMOVED);
    return Decision.change(offer, new Effect.Dequeued());
  }
}
