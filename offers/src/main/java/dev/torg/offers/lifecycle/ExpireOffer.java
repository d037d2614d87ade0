package dev.torg.offers.lifecycle;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.OfferId;
import java.util.List;

/// Expires the offer, unless its owner has prolonged or withdrawn it.
public record ExpireOffer(OfferId id, long at) implements OfferCommand {
  @Override
  public Decision decide(Situation situation) {
    Offer shown = situation.existing().shown();
    boolean due = EpochMicros.of(shown.getExpiresAt()) <= at;
    if (shown.getStatus() != Status.ACTIVE || !due) {
      return new Decision.NoChange(List.of());
    }
    Offer.Builder offer = shown.toBuilder();
    StatusTransitions.transition(offer, Status.EXPIRED);
    return Decision.change(offer);
  }
}
