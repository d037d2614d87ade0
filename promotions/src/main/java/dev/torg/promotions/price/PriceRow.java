package dev.torg.promotions.price;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A row of the matrix: prices and durations for the offers of a category and a region, including everything below
/// them.
///
/// @param category empty for all categories
/// @param region a path; empty for all regions
/// @param prices amounts in minor units, by currency and service
/// @param durations by service
record PriceRow(
    Optional<String> category,
    String region,
    Map<String, Map<String, Long>> prices,
    Map<String, Duration> durations) {

  /// @param categories the offer's category and its ancestors
  boolean applies(List<String> categories, String offerRegion) {
    return (category.isEmpty() || categories.contains(category.get())) && contains(offerRegion);
  }

  private boolean contains(String offerRegion) {
    return region.isEmpty() || offerRegion.equals(region) || offerRegion.startsWith(region + "/");
  }

  /// The number of segments.
  int regionDepth() {
    return region.isEmpty() ? 0 : region.split("/", -1).length;
  }
}
