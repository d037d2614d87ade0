package dev.torg.favorites.service;

import dev.torg.matching.Query;

/// Counts active offers that satisfy a query.
@FunctionalInterface
public interface OfferCounter {
  /// The number of matching offers; if not exact, a lower bound.
  record Count(int matched, boolean exact) {}

  /// Counts up to the given number; a greater result means 'more'. Blocks.
  Count count(Query query, int upTo);
}
