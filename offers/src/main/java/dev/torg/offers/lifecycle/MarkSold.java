package dev.torg.offers.lifecycle;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.Caller;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Money;
import dev.torg.platform.OfferId;
import java.util.List;
import java.util.Optional;

/// Marks the offer as sold: through Torg unless its owner states otherwise, and at its price unless another
/// one is stated. It stays public, so it also stays in the moderation queue.
public record MarkSold(OfferId id, Caller caller, Optional<Money> price, boolean soldHere, long at)
    implements OfferCommand {

  @Override
  public Decision decide(Situation situation) {
    Offer shown = situation.existing().shown();
    OfferAccess.requireOwner(caller, shown, EpochMicros.instant(at));
    Offer.Builder offer = shown.toBuilder();
    StatusTransitions.transition(offer, Status.SOLD);
    List<Effect> effects =
        soldHere ? List.of(new Effect.Sold(price.or(() -> priceOf(shown)))) : List.of();
    return new Decision.Change(offer, false, effects);
  }

  private static Optional<Money> priceOf(Offer offer) {
    return offer.hasPrice()
        ? Optional.of(new Money(offer.getPrice().getAmount(), offer.getPrice().getCurrency()))
        : Optional.empty();
  }
}
