package dev.torg.favorites;

import dev.torg.matching.Query;

/// Counts active offers that satisfy a query.
@FunctionalInterface
public interface OfferCounter {
  /// How many were found. Not exact: there are at least so many, and nobody knows how many more.
  record Count(int found, boolean exact) {}

  /// Up to the given number; a greater answer means 'more'. Blocks.
  Count count(Query query, int upTo);
}
