package dev.torg.offers.life;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.offers.category.CheckedOffer;
import dev.torg.platform.OfferId;
import java.util.List;
import java.util.OptionalLong;

/// An offer that has lived elsewhere before. It was never new here: its event is silent, and without a
/// time of first activation nobody who looks back finds it as new either.
///
/// @param created microseconds since 1970
/// @param expires the same; not given: as if it began now
public record BringIn(
    OfferId id,
    String seller,
    CheckedOffer checked,
    Status status,
    long created,
    OptionalLong expires,
    Terms terms,
    long at)
    implements OfferCommand {

  @Override
  public Decision decide(Situation situation) {
    if (situation.offer().isPresent()) {
      throw Publish.idTaken();
    }
    Offer.Builder offer =
        Offer.newBuilder()
            .setId(id.toString())
            .setDisplayId(id.display())
            .setSellerId(seller)
            .setStatus(status)
            .setCreatedAt(Micros.timestamp(created));
    Terms.said(offer, checked.content());
    if (expires.isPresent()) {
      offer.setExpiresAt(Micros.timestamp(expires.getAsLong()));
    } else {
      terms.prolong(offer, at);
    }
    return new Decision.Change(offer, true, true, List.of());
  }
}
