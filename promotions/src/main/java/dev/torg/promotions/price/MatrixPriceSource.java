package dev.torg.promotions.price;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/// Takes prices from the matrix.
public final class MatrixPriceSource implements PriceSource {
  private final PriceMatrix matrix;

  public MatrixPriceSource(PriceMatrix matrix) {
    this.matrix = matrix;
  }

  @Override
  public CompletableFuture<Map<String, PricedService>> prices(
      OfferParameters offer, Set<String> services) {
    return CompletableFuture.completedFuture(matrix.prices(offer, services));
  }
}
