package dev.torg.favorites;

import dev.torg.matching.Query;

/// Counts active offers that satisfy a query.
@FunctionalInterface
public interface OfferCounts {
  /// Exactly, up to the given number; a greater answer means 'more'. Blocks.
  int count(Query query, int upTo);
}
