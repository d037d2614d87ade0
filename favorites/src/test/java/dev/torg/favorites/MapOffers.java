package dev.torg.favorites;

import dev.torg.api.v1.Offer;
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

/// Offers from a map, all visible to every user.
record MapOffers(Map<OfferId, Offer> offers) implements Offers {
  @Override
  public CompletableFuture<Map<OfferId, Offer>> find(Collection<OfferId> ids) {
    Map<OfferId, Offer> result = new HashMap<>();
    ids.stream().filter(offers::containsKey).forEach(id -> result.put(id, offers.get(id)));
    return CompletableFuture.completedFuture(result);
  }

  @Override
  public CompletableFuture<Map<OfferId, Offer>> visible(String viewer, Collection<OfferId> ids) {
    return find(ids);
  }

  @Override
  public Map<ExternalId, OfferId> activeByExternalId(Collection<ExternalId> ids) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Set<OfferId> active(Collection<OfferId> ids) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ActivatedPage activatedAfter(ActiveOfferFilter filter, ActivationCursor after) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<Home> homesWithExpiries(Map<Home, Instant> after, Instant until) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ExpiringPage expiring(Home home, ExpiryCursor after, Instant until) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ActiveOfferPage activeOffers(Home home, long afterId) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<PricePoint> priceHistory(OfferId id) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean scanActive(ActiveOfferFilter filter, Duration timeout, Predicate<Offer> visitor) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Categories categories() {
    throw new UnsupportedOperationException();
  }
}
