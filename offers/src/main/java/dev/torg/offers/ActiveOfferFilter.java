package dev.torg.offers;

import java.util.Optional;
import java.util.Set;

/// Selects active offers by category, by region including its subregions, and by seller. An empty set means
/// no condition.
public record ActiveOfferFilter(
    Set<String> categories, Set<String> regions, Optional<String> seller) {
  /// No condition.
  public static final ActiveOfferFilter ALL =
      new ActiveOfferFilter(Set.of(), Set.of(), Optional.empty());

  public ActiveOfferFilter {
    categories = Set.copyOf(categories);
    regions = Set.copyOf(regions);
  }

  public static ActiveOfferFilter ofSeller(String seller) {
    return new ActiveOfferFilter(Set.of(), Set.of(), Optional.of(seller));
  }
}
