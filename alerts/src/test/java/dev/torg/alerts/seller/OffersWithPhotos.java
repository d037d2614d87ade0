package dev.torg.alerts.seller;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Photo;
import dev.torg.api.v1.PricePoint;
import dev.torg.offers.ActivatedPage;
import dev.torg.offers.ActivationCursor;
import dev.torg.offers.ActiveOfferFilter;
import dev.torg.offers.ActiveOfferPage;
import dev.torg.offers.ExpiringPage;
import dev.torg.offers.ExpiryCursor;
import dev.torg.offers.ExternalId;
import dev.torg.offers.Offers;
import dev.torg.offers.category.Categories;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/// Offers that have the photos p1, p2 and so on, not prepared yet.
record OffersWithPhotos(Offers offers, int photos) implements Offers {
  @Override
  public CompletableFuture<Map<OfferId, Offer>> find(Collection<OfferId> ids) {
    return offers
        .find(ids)
        .thenApply(
            found -> {
              Map<OfferId, Offer> shown = new HashMap<>();
              found.forEach((id, offer) -> shown.put(id, withPhotos(offer)));
              return shown;
            });
  }

  private Offer withPhotos(Offer offer) {
    Offer.Builder shown = offer.toBuilder();
    for (int i = 1; i <= photos; i++) {
      shown.addPhotos(Photo.newBuilder().setId("p" + i).setStatus(Photo.Status.PENDING));
    }
    return shown.build();
  }

  @Override
  public CompletableFuture<Map<OfferId, Offer>> visible(String viewer, Collection<OfferId> ids) {
    return offers.visible(viewer, ids);
  }

  @Override
  public Map<ExternalId, OfferId> activeByExternalId(Collection<ExternalId> ids) {
    return offers.activeByExternalId(ids);
  }

  @Override
  public Set<OfferId> active(Collection<OfferId> ids) {
    return offers.active(ids);
  }

  @Override
  public ActiveOfferPage activeOffers(Home home, long afterId) {
    return offers.activeOffers(home, afterId);
  }

  @Override
  public ActivatedPage activatedAfter(ActiveOfferFilter filter, ActivationCursor after) {
    return offers.activatedAfter(filter, after);
  }

  @Override
  public List<Home> homesWithExpiries(Map<Home, Instant> after, Instant until) {
    return offers.homesWithExpiries(after, until);
  }

  @Override
  public ExpiringPage expiring(Home home, ExpiryCursor after, Instant until) {
    return offers.expiring(home, after, until);
  }

  @Override
  public List<PricePoint> priceHistory(OfferId id) {
    return offers.priceHistory(id);
  }

  @Override
  public boolean scanActive(ActiveOfferFilter filter, Duration timeout, Predicate<Offer> visitor) {
    return offers.scanActive(filter, timeout, visitor);
  }

  @Override
  public Categories categories() {
    return offers.categories();
  }
}
