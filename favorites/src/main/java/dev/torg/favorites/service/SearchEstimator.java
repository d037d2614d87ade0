package dev.torg.favorites.service;

import dev.torg.api.v1.Estimate;
import dev.torg.favorites.AlertEstimator;
import dev.torg.matching.Query;

/// Estimates a search: matching offers now, and alerts per day if enough offers were observed.
public final class SearchEstimator {
  /// Offers are counted up to here.
  private static final int MAX_COUNTED_OFFERS = 1000;

  private final OfferCounter counts;
  private final AlertEstimator alerts;

  public SearchEstimator(OfferCounter counts, AlertEstimator alerts) {
    this.counts = counts;
    this.alerts = alerts;
  }

  public Estimate of(Query query) {
    Estimate.Builder estimate =
        Estimate.newBuilder().setOffersNow(countText(counts.count(query, MAX_COUNTED_OFFERS)));
    alerts.alertsPerDay(query).ifPresent(estimate::setAlertsPerDay);
    return estimate.build();
  }

  /// `37`, `1000+`, or `37+` if the time was too short to count all.
  private static String countText(OfferCounter.Count now) {
    int counted = Math.min(now.matched(), MAX_COUNTED_OFFERS);
    return now.exact() && now.matched() <= MAX_COUNTED_OFFERS
        ? Integer.toString(counted)
        : counted + "+";
  }
}
