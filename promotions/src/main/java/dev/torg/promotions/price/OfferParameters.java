package dev.torg.promotions.price;

import com.google.protobuf.Value;
import dev.torg.api.v1.Offer;
import dev.torg.platform.Money;
import dev.torg.platform.OfferId;
import java.util.Map;
import java.util.Optional;

/// What a price may depend on.
///
/// @param region empty if the offer states none
public record OfferParameters(
    OfferId id,
    String seller,
    String category,
    String region,
    String title,
    Optional<Money> price,
    Map<String, Value> attributes) {
  public OfferParameters {
    attributes = Map.copyOf(attributes);
  }

  public static OfferParameters of(Offer offer) {
    return new OfferParameters(
        OfferId.parse(offer.getId()),
        offer.getSellerId(),
        offer.getCategory(),
        offer.getRegion(),
        offer.getTitle(),
        offer.hasPrice()
            ? Optional.of(new Money(offer.getPrice().getAmount(), offer.getPrice().getCurrency()))
            : Optional.empty(),
        offer.getAttributesMap());
  }
}
