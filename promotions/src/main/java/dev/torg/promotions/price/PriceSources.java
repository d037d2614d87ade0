package dev.torg.promotions.price;

import dev.torg.offers.category.Categories;
import dev.torg.promotions.PriceSettings;
import io.micrometer.core.instrument.MeterRegistry;

/// Creates what the settings name.
public final class PriceSources {
  private PriceSources() {}

  /// The matrix is validated here, at start.
  public static PriceMatrix matrix(PriceSettings settings, Categories categories) {
    return settings
        .matrix()
        .map(file -> PriceMatrixFile.read(file, categories))
        .orElseGet(() -> PriceMatrixFile.defaults(categories));
  }

  /// The caller closes it.
  public static PriceSource source(
      PriceSettings settings, PriceMatrix matrix, MeterRegistry metrics) {
    if (settings.service().isEmpty()) {
      return new MatrixPriceSource(matrix);
    }
    return new HttpPriceSource(
        settings.service().get(), matrix, HttpPriceSource.Timeouts.defaults(), metrics);
  }
}
