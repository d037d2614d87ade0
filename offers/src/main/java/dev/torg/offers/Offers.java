package dev.torg.offers;

import dev.torg.api.v1.Offer;
import dev.torg.offers.store.OfferReader;
import dev.torg.platform.OfferId;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// What other rooms may ask about offers.
public final class Offers {
  private final OfferReader reader;
  private final Categories categories;

  Offers(OfferReader reader, Categories categories) {
    this.reader = reader;
    this.categories = categories;
  }

  /// Those that exist, in the order of the ids, whatever their status: who may see them is for the
  /// asking room to respect. Many such reads at once share a statement. The future completes on a
  /// reader's thread: what hangs on it must not block.
  public CompletableFuture<Map<OfferId, Offer>> find(Collection<OfferId> ids) {
    return reader.get(ids);
  }

  public Categories categories() {
    return categories;
  }
}
