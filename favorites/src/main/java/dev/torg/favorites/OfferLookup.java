package dev.torg.favorites;

import dev.torg.api.v1.Offer;
import dev.torg.platform.OfferId;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// What favorites asks of offers.
@FunctionalInterface
public interface OfferLookup {
  /// Those of the offers that exist, are not removed, and that this person may see. The future must
  /// not wait for the thread that completes it.
  CompletableFuture<Map<OfferId, Offer>> visible(String viewer, Collection<OfferId> ids);
}
