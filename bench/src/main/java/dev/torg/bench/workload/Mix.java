package dev.torg.bench.workload;

/// How searches are drawn.
public enum Mix {
  /// Typical saved searches: a category, a place, a brand or model, a price, some words; five
  /// conditions on average.
  NARROW,
  /// One to three loose conditions: a category or an area, a price ceiling, a common word.
  BROAD,
  /// All in the most popular category, distinguished by ranges and a word only.
  HOT_KEY
}
