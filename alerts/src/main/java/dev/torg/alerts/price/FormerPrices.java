package dev.torg.alerts.price;

import dev.torg.api.v1.Money;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.PricePoint;
import dev.torg.offers.Offers;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.OfferId;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The former prices of an offer, from its history. Blocks.
public record FormerPrices(Offers offers) {
  /// Prices in an alert: the recipient most likely knows one of them.
  private static final int MAX_FORMER_PRICES = 20;

  /// Latest first, without the current one.
  public List<Money> of(Offer offer) {
    Set<Money> former = new LinkedHashSet<>();
    for (PricePoint point : history(offer).reversed()) {
      if (point.hasPrice() && !point.getPrice().equals(offer.getPrice())) {
        former.add(point.getPrice());
      }
    }
    return former.stream().limit(MAX_FORMER_PRICES).toList();
  }

  /// When it got its current price.
  public Instant lastChange(Offer offer) {
    List<PricePoint> points = history(offer);
    return EpochMicros.instant(points.isEmpty() ? offer.getUpdatedAt() : points.getLast().getAt());
  }

  private List<PricePoint> history(Offer offer) {
    return offers.priceHistory(OfferId.parse(offer.getId()));
  }
}
