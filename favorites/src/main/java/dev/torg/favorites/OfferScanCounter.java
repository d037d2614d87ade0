package dev.torg.favorites;

import dev.torg.api.v1.Offer;
import dev.torg.matching.OfferFeatures;
import dev.torg.matching.Query;
import dev.torg.matching.engine.QueryCheck;
import dev.torg.offers.ActiveOfferFilter;
import dev.torg.offers.Offers;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Counts by looking at the offers themselves: the index narrows them by category, region or seller,
/// matching's own check decides. What cannot be counted in time is not guessed: the answer is then
/// how many were found, and that there may be more (docs/decisions/counting-offers.md).
public final class OfferScanCounter implements OfferCounter {
  /// About as long as somebody who saves a search likes to wait.
  private static final Duration TIME = Duration.ofSeconds(1);

  /// Counts at once: each takes a connection and up to a core.
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
      return permits.tryAcquire(TIME.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private Count countNow(Query query, int upTo) {
    QueryCheck check = new QueryCheck(query);
    int[] found = new int[1];
    boolean all =
        offers.scanActive(
            which(query),
            TIME,
            offer -> {
              found[0] += matches(check, offer) ? 1 : 0;
              return found[0] <= upTo;
            });
    return new Count(found[0], all);
  }

  private boolean matches(QueryCheck check, Offer offer) {
    OfferFeatures facts = OfferFeatureExtractor.withoutText(offer, offers.categories());
    return check.factsHold(facts)
        && (!check.asksForText()
            || check.textHolds(OfferFeatureExtractor.of(offer, offers.categories())));
  }

  /// A category that left the tree may still have offers.
  private ActiveOfferFilter which(Query query) {
    String category = query.category();
    Set<String> below = category == null ? Set.of() : offers.categories().withDescendants(category);
    Set<String> categories = category != null && below.isEmpty() ? Set.of(category) : below;
    return new ActiveOfferFilter(categories, query.regions(), Optional.ofNullable(query.seller()));
  }
}
