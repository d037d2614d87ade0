package dev.torg.matching.engine;

import dev.torg.matching.feature.Feature;

/// A set of queries with its own numbering: the large, immutable [Base] or a view of the small, growing [Delta].
sealed interface Segment permits Base, Delta.View {
  Vocabulary vocabulary();

  /// The number of a word, or -1.
  int word(Feature word);

  Fields fields();

  /// The queries, in the layout of [Records].
  int[] records();

  /// Records at or above this offset must be ignored.
  int end();

  boolean isRemoved(int ordinal);

  /// Shows the postings under a single feature.
  void single(int feature, Probe probe);

  /// Shows the postings under a composite key.
  void composite(long key, Probe probe);
}
