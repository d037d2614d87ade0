package dev.torg.offers.lifecycle;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.OfferId;
import java.util.List;

/// Removes an offer that the seller's feed does not name any more. A sold one stays: it is final, and a
/// removed one could be put on sale again.
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
