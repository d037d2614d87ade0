package dev.torg.favorites;

import dev.torg.api.v1.Offer;
import dev.torg.offers.Offers;
import dev.torg.platform.OfferId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// Looks offers up in their own room. Everybody sees what is or was on show; what waits for a
/// moderator, was banned or withdrawn only its seller; what was removed nobody.
public record VisibleOffers(Offers offers) implements OfferLookup {
  @Override
  public CompletableFuture<Map<OfferId, Offer>> visible(String viewer, Collection<OfferId> ids) {
    return offers
        .find(ids)
        .thenApply(
            found -> {
              Map<OfferId, Offer> seen = new LinkedHashMap<>(found);
              seen.values().removeIf(offer -> !maySee(viewer, offer));
              return seen;
            });
  }

  static boolean maySee(String viewer, Offer offer) {
    return switch (offer.getStatus()) {
      case ACTIVE, SOLD, EXPIRED -> true;
      case PENDING, BANNED, WITHDRAWN -> offer.getSellerId().equals(viewer);
      case REMOVED, STATUS_UNSPECIFIED, UNRECOGNIZED -> false;
    };
  }
}
