package dev.torg.favorites.search;

import dev.torg.api.v1.Estimate;
import dev.torg.favorites.AlertEstimator;
import dev.torg.favorites.OfferCounts;
import dev.torg.matching.Query;

/// What a search would bring: offers now and alerts a day, as far as they are known.
public final class Estimates {
  /// Offers are counted up to here.
  private static final int MOST_COUNTED = 1000;

  private final OfferCounts counts;
  private final AlertEstimator alerts;

  public Estimates(OfferCounts counts, AlertEstimator alerts) {
    this.counts = counts;
    this.alerts = alerts;
  }

  public Estimate of(Query query) {
    Estimate.Builder estimate =
        Estimate.newBuilder().setOffersNow(said(counts.count(query, MOST_COUNTED)));
    alerts.alertsPerDay(query).ifPresent(estimate::setAlertsPerDay);
    return estimate.build();
  }

  /// `37`, `1000+`, or `37+` where the time was too short to find all.
  private static String said(OfferCounts.Count now) {
    int known = Math.min(now.found(), MOST_COUNTED);
    return now.exact() && now.found() <= MOST_COUNTED ? Integer.toString(known) : known + "+";
  }
}
