package dev.torg.favorites.service;

import dev.torg.api.v1.Offer;
import dev.torg.matching.OfferFeatures;
import dev.torg.matching.Query;
import dev.torg.matching.engine.QueryCheck;
import dev.torg.offers.ActiveOfferFilter;
import dev.torg.offers.Offers;
import dev.torg.queries.OfferFeatureExtractor;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Counts by scanning offers: an index narrows them by category, region or seller, and the check of the
/// matching engine decides. If the time is too short, the result is a lower bound (docs/decisions/counting-offers.md).
public final class OfferScanCounter implements OfferCounter {
  /// An acceptable response time for saving a search.
  private static final Duration SCAN_TIMEOUT = Duration.ofSeconds(1);

  /// Each scan holds a connection and uses up to a core.
  private static final int MAX_CONCURRENT_SCANS = 2;

  private final Offers offers;
  private final Semaphore permits = new Semaphore(MAX_CONCURRENT_SCANS);

  public OfferScanCounter(Offers offers) {
    this.offers = offers;
  }

  @Override
  public Count count(Query query, int upTo) {
    if (!acquirePermit()) {
      return new Count(0, false);
    }
    try {
      return countNow(query, upTo);
    } finally {
      permits.release();
    }
  }

  private boolean acquirePermit() {
    try {
      return permits.tryAcquire(SCAN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private Count countNow(Query query, int upTo) {
    QueryCheck check = new QueryCheck(query);
    int[] matching = new int[1];
    boolean all =
        offers.scanActive(
            filter(query),
            SCAN_TIMEOUT,
            offer -> {
              matching[0] += matches(check, offer) ? 1 : 0;
              return matching[0] <= upTo;
            });
    return new Count(matching[0], all);
  }

  private boolean matches(QueryCheck check, Offer offer) {
    OfferFeatures facts = OfferFeatureExtractor.withoutText(offer, offers.categories()::parent);
    return check.factsHold(facts)
        && (!check.hasText()
            || check.textHolds(OfferFeatureExtractor.of(offer, offers.categories()::parent)));
  }

  /// A category that is no longer in the tree may still have offers.
  private ActiveOfferFilter filter(Query query) {
    String category = query.category();
    Set<String> below = category == null ? Set.of() : offers.categories().withDescendants(category);
    Set<String> categories = category != null && below.isEmpty() ? Set.of(category) : below;
    return new ActiveOfferFilter(categories, query.regions(), Optional.ofNullable(query.seller()));
  }
}
