package dev.torg.offers.store;

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
import dev.torg.offers.lifecycle.OfferAccess;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/// Reads offers for other modules.
public final class OfferQueries implements Offers {
  private final OfferReader reader;
  private final ActiveScan active;
  private final Categories categories;
  private final InstantSource clock;

  public OfferQueries(
      OfferReader reader, ActiveScan active, Categories categories, InstantSource clock) {
    this.reader = reader;
    this.active = active;
    this.categories = categories;
    this.clock = clock;
  }

  @Override
  public CompletableFuture<Map<OfferId, Offer>> find(Collection<OfferId> ids) {
    return reader.get(ids);
  }

  @Override
  public CompletableFuture<Map<OfferId, Offer>> visible(String viewer, Collection<OfferId> ids) {
    return reader.get(ids).thenApply(offers -> visible(viewer, offers));
  }

  private Map<OfferId, Offer> visible(String viewer, Map<OfferId, Offer> offers) {
    Instant now = clock.instant();
    Map<OfferId, Offer> visible = new LinkedHashMap<>(offers);
    visible.values().removeIf(offer -> !OfferAccess.isVisible(offer, viewer, false, now));
    return visible;
  }

  @Override
  public Set<OfferId> active(Collection<OfferId> ids) {
    return reader.active(ids);
  }

  @Override
  public Map<ExternalId, OfferId> activeByExternalId(Collection<ExternalId> ids) {
    return reader.activeByExternalId(ids);
  }

  @Override
  public ActivatedPage activatedAfter(ActiveOfferFilter filter, ActivationCursor after) {
    return reader.activatedAfter(filter, after, ACTIVATED_PAGE_SIZE);
  }

  @Override
  public List<Home> homesWithExpiries(Map<Home, Instant> after, Instant until) {
    return reader.homesWithExpiries(after, until);
  }

  @Override
  public ExpiringPage expiring(Home home, ExpiryCursor after, Instant until) {
    return reader.expiring(home, after, until, EXPIRING_PAGE_SIZE);
  }

  @Override
  public ActiveOfferPage activeOffers(Home home, long afterId) {
    return reader.activeOffers(home, afterId, ACTIVATED_PAGE_SIZE);
  }

  @Override
  public List<PricePoint> priceHistory(OfferId id) {
    return reader.priceHistory(id);
  }

  @Override
  public boolean scanActive(ActiveOfferFilter filter, Duration timeout, Predicate<Offer> visitor) {
    return active.run(filter, timeout, visitor);
  }

  @Override
  public Categories categories() {
    return categories;
  }
}
