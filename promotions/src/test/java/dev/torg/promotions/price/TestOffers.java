package dev.torg.promotions.price;

import dev.torg.platform.Money;
import dev.torg.platform.OfferId;
import java.util.Map;
import java.util.Optional;

/// Parameters of offers.
public final class TestOffers {
  public static final OfferId ID = OfferId.parse("0070000000000013");
  public static final String SELLER = "user:42";

  private TestOffers() {}

  public static OfferParameters offer(String category, String region) {
    return new OfferParameters(ID, SELLER, category, region, "A title", Optional.empty(), Map.of());
  }

  public static OfferParameters offer(String category, String region, String currency) {
    return new OfferParameters(
        ID, SELLER, category, region, "A title", Optional.of(new Money(500, currency)), Map.of());
  }
}
