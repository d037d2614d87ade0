package dev.torg.offers.life;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.OfferId;
import java.util.List;

/// The seller's feed does not name the offer any more.
public record TakeAway(OfferId id, long at) implements OfferCommand {
  @Override
  public Decision decide(Situation situation) {
    Offer.Builder offer = situation.existing().shown().toBuilder();
    if (offer.getStatus() == Status.REMOVED) {
      return new Decision.Keep(List.of());
    }
    Life.move(offer, Status.REMOVED);
    return Decision.change(offer, new Effect.Unqueued());
  }
}
