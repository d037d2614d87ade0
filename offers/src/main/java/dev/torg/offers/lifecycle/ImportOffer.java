package dev.torg.offers.lifecycle;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.offers.category.ValidatedOffer;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.OfferId;
import java.util.List;
import java.util.OptionalLong;

/// An offer that has lived elsewhere before. It was never new here: its event is silent, and without a
/// time of first activation nobody who looks back finds it as new either.
///
/// @param created microseconds since 1970
/// @param expires the same; not given: as if it began now
public record ImportOffer(
    OfferId id,
    String seller,
    ValidatedOffer checked,
    Status status,
    long created,
    OptionalLong expires,
    PublishingTerms terms,
    long at)
    implements OfferCommand {

  @Override
  public Decision decide(Situation situation) {
    if (situation.offer().isPresent()) {
      throw PublishOffer.idInUse();
    }
    Offer.Builder offer =
        Offer.newBuilder()
            .setId(id.toString())
            .setDisplayId(id.display())
            .setSellerId(seller)
            .setStatus(status)
            .setCreatedAt(EpochMicros.timestamp(created));
    PublishingTerms.copySellerContent(offer, checked.content());
    if (expires.isPresent()) {
      offer.setExpiresAt(EpochMicros.timestamp(expires.getAsLong()));
    } else {
      terms.prolong(offer, at);
    }
    return new Decision.Change(offer, true, true, List.of());
  }
}
