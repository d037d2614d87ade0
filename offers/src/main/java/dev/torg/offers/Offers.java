package dev.torg.offers;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.PricePoint;
import dev.torg.offers.category.Categories;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// What other modules may read about offers.
public interface Offers {
  /// Rows examined for a page: about half a megabyte of offers, and 25 MB of the largest ones.
  int ACTIVATED_PAGE_SIZE = 250;

  /// Rows examined for a page of offers that expire.
  int EXPIRING_PAGE_SIZE = 250;

  /// The existing offers in the order of the ids, whatever their status: the caller is responsible for
  /// visibility. Concurrent reads share a statement. The future completes on a reader's thread, so
  /// dependent stages must not block.
  CompletableFuture<Map<OfferId, Offer>> find(Collection<OfferId> ids);

  /// The offers that this viewer may see, in the order of the ids. ACTIVE, SOLD and EXPIRED offers are
  /// visible to everybody; PENDING, BANNED and WITHDRAWN ones to their seller; a REMOVED one to its
  /// seller for 30 days. The future completes on a reader's thread, so dependent stages must not block.
  ///
  /// @param viewer the subject of the caller
  CompletableFuture<Map<OfferId, Offer>> visible(String viewer, Collection<OfferId> ids);

  /// Those of the offers that are active now. Reads no bodies. Blocks.
  Set<OfferId> active(Collection<OfferId> ids);

  /// The active offers with these external ids; of several with one external id the newest. Blocks.
  Map<ExternalId, OfferId> activeByExternalId(Collection<ExternalId> ids);

  /// Visits every active offer first activated after the given time, in that order, in its current
  /// state. Blocks.
  default void forEachActivatedAfter(Instant time, Consumer<Offer> visitor) {
    ActivatedPage page = activatedAfter(ActiveOfferFilter.ALL, ActivationCursor.after(time));
    page.offers().forEach(visitor);
    while (!page.last()) {
      page = activatedAfter(ActiveOfferFilter.ALL, page.next());
      page.offers().forEach(visitor);
    }
  }

  /// The next active offers in the order of first activation. A page costs the same however few offers
  /// pass the filter, so it may be empty without being the last. Blocks.
  ActivatedPage activatedAfter(ActiveOfferFilter filter, ActivationCursor after);

  /// The homes in which the status of an offer changes by time alone after the given time, which differs by home, and
  /// until the other one. Blocks.
  List<Home> homesWithExpiries(Map<Home, Instant> after, Instant until);

  /// The next active offers of a home in the order in which they expire, until the given time. A page examines
  /// [#EXPIRING_PAGE_SIZE] rows, so it may be empty without being the last. Blocks.
  ExpiringPage expiring(Home home, ExpiryCursor after, Instant until);

  /// The next active offers of a home in the order of their ids. A page costs the same however few offers are active, so
  /// it may be empty without being the last. Blocks.
  ActiveOfferPage activeOffers(Home home, long afterId);

  /// The latest 1,000 prices of an offer, oldest first. Blocks.
  List<PricePoint> priceHistory(OfferId id);

  /// Visits active offers in one snapshot until the visitor returns false or the time is up. Returns
  /// whether all were visited. Blocks and holds a connection.
  boolean scanActive(ActiveOfferFilter filter, Duration timeout, Predicate<Offer> visitor);

  Categories categories();
}
