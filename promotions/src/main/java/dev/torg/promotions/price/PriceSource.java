package dev.torg.promotions.price;

import dev.torg.platform.Failure;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Determines what services cost for an offer.
public interface PriceSource extends AutoCloseable {
  /// The prices of exactly these services, in one currency. The caller has checked that the [ServiceCatalog] has them.
  /// Fails with UNAVAILABLE if the prices cannot be determined now. The future may complete on a thread of the source,
  /// so dependent stages must not block.
  CompletableFuture<Map<String, PricedService>> prices(OfferParameters offer, Set<String> services);

  @Override
  default void close() {}

  static Failure unavailable(@Nullable Throwable cause) {
    return Failure.unavailable(
        "promotion.price-unavailable", "prices are not available now, try again later", cause);
  }
}
