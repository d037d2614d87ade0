package dev.torg.offers.feed;

/// The results of the items of a task or a chunk.
public record FeedCounts(
    int created, int updated, int unchanged, int removed, int failed, int ignored, int duplicates) {
  static final FeedCounts NONE = new FeedCounts(0, 0, 0, 0, 0, 0, 0);

  /// Collects counts.
  static final class Tally {
    int created;
    int updated;
    int unchanged;
    int failed;
    int ignored;
    int duplicates;

    FeedCounts counts() {
      return new FeedCounts(created, updated, unchanged, 0, failed, ignored, duplicates);
    }
  }

  static FeedCounts ofRemoved(int removed) {
    return new FeedCounts(0, 0, 0, removed, 0, 0, 0);
  }
}
