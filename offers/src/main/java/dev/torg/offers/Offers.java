package dev.torg.offers;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.PricePoint;
import dev.torg.offers.store.ActiveScan;
import dev.torg.offers.store.OfferReader;
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

/// What other rooms may ask about offers.
public final class Offers {
  /// Rows examined for a page: about half a megabyte of offers, and 25 MB of the largest ones.
  public static final int ACTIVATED_PAGE_SIZE = 250;

  private final OfferReader reader;
  private final ActiveScan active;
  private final Categories categories;

  public Offers(OfferReader reader, ActiveScan active, Categories categories) {
    this.reader = reader;
    this.active = active;
    this.categories = categories;
  }

  /// Those that exist, in the order of the ids, whatever their status: who may see them is for the
  /// asking room to respect. Many such reads at once share a statement. The future completes on a
  /// reader's thread: what hangs on it must not block.
  public CompletableFuture<Map<OfferId, Offer>> find(Collection<OfferId> ids) {
    return reader.get(ids);
  }

  /// Those of the offers that are active now. Reads no bodies. Blocks.
  public Set<OfferId> active(Collection<OfferId> ids) {
    return reader.active(ids);
  }

  /// Shows every active offer first activated after the given time, in that order, as it is when it is
  /// read. Blocks.
  public void forEachActivatedAfter(Instant time, Consumer<Offer> looker) {
    ActivatedPage page = activatedAfter(ActiveOfferFilter.ALL, ActivationCursor.after(time));
    page.offers().forEach(looker);
    while (!page.last()) {
      page = activatedAfter(ActiveOfferFilter.ALL, page.next());
      page.offers().forEach(looker);
    }
  }

  /// The next active offers in the order of first activation. A page costs the same however few meet
  /// the conditions, so it may be empty without being the last. Blocks.
  public ActivatedPage activatedAfter(ActiveOfferFilter which, ActivationCursor after) {
    return reader.activatedAfter(which, after, ACTIVATED_PAGE_SIZE);
  }

  /// What an offer has cost, oldest first: its latest 1,000 prices. Blocks.
  public List<PricePoint> priceHistory(OfferId id) {
    return reader.priceHistory(id);
  }

  /// Shows active offers one by one, as they were at one moment, until the looker has seen enough or
  /// the time is over. Whether all were seen. Blocks, with a connection in hand.
  public boolean scanActive(ActiveOfferFilter which, Duration atMost, Predicate<Offer> goOn) {
    return active.run(which, atMost, goOn);
  }

  public Categories categories() {
    return categories;
  }
}
