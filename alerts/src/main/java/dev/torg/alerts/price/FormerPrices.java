package dev.torg.alerts.price;

import dev.torg.alerts.event.AlertContent;
import dev.torg.api.v1.Money;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.PricePoint;
import dev.torg.offers.Offers;
import dev.torg.platform.OfferId;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// What an offer has cost before, from its history. Blocks.
public record FormerPrices(Offers offers) {
  /// That an alert carries: the reader knows one of them, most likely.
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

  /// When it came to cost what it costs now.
  public Instant lastChange(Offer offer) {
    List<PricePoint> points = history(offer);
    return AlertContent.instant(points.isEmpty() ? offer.getUpdatedAt() : points.getLast().getAt());
  }

  private List<PricePoint> history(Offer offer) {
    return offers.priceHistory(OfferId.parse(offer.getId()));
  }
}
