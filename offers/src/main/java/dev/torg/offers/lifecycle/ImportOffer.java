package dev.torg.offers.lifecycle;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.offers.category.ValidatedOffer;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.OfferId;
import java.util.List;
import java.util.OptionalLong;

/// Imports an offer of another marketplace. It never counts as new: its event is silent, and it has no time
/// of first activation, so backfills of new subscriptions do not find it.
///
/// @param created microseconds since 1970
/// @param expires microseconds since 1970; if absent, the term starts now
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
