package dev.torg.offers;

import dev.torg.api.v1.Offer;
import dev.torg.offers.store.ActiveScan;
import dev.torg.offers.store.OfferReader;
import dev.torg.platform.OfferId;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/// What other rooms may ask about offers.
public final class Offers {
  private final OfferReader reader;
  private final ActiveScan active;
  private final Categories categories;

  Offers(OfferReader reader, ActiveScan active, Categories categories) {
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

  /// Shows active offers one by one, as they were at one moment, until the looker has seen enough or
  /// the time is over. Whether all were seen. Blocks, with a connection in hand.
  public boolean lookThrough(ActiveOffers which, Duration atMost, Predicate<Offer> goOn) {
    return active.run(which, atMost, goOn);
  }

  public Categories categories() {
    return categories;
  }
}
