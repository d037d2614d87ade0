package dev.torg.alerts.match;

import dev.torg.matching.SearchId;
import java.util.HashMap;
import java.util.Map;

/// Counts the offers for each search in one call of the matcher, to distinguish storms from ordinary
/// alerts. Bounded: beyond its capacity a search counts as ordinary.
final class SearchMatchCounts {
  private static final int MAX_SEARCHES = 100_000;

  private final Map<SearchId, Integer> offers = new HashMap<>();
  private boolean storms;

  void add(SearchId search) {
    if (offers.size() < MAX_SEARCHES || offers.containsKey(search)) {
      storms |= offers.merge(search, 1, Integer::sum) > SellerRates.MAX_ORDINARY_OFFERS;
    }
  }

  boolean hasStorms() {
    return storms;
  }

  boolean isStorm(SearchId search) {
    return offers.getOrDefault(search, 0) > SellerRates.MAX_ORDINARY_OFFERS;
  }
}
