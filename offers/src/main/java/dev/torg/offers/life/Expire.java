package dev.torg.offers.life;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.OfferId;
import java.util.List;

/// Time is up, unless the owner was quicker and prolonged or withdrew it.
public record Expire(OfferId id, long at) implements OfferCommand {
  @Override
  public Decision decide(Situation situation) {
    Offer shown = situation.existing().shown();
    boolean due = Micros.of(shown.getExpiresAt()) <= at;
    if (shown.getStatus() != Status.ACTIVE || !due) {
      return new Decision.Keep(List.of());
    }
    Offer.Builder offer = shown.toBuilder();
    Life.move(offer, Status.EXPIRED);
    return Decision.change(offer);
  }
}
