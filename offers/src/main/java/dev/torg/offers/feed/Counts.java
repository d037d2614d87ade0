package dev.torg.offers.feed;

/// What became of the items of a task, or of a part of it.
public record Counts(
    int created, int updated, int unchanged, int removed, int failed, int ignored, int duplicates) {
  static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0);

  /// Collects them.
  static final class Tally {
    int created;
    int updated;
    int unchanged;
    int failed;
    int ignored;
    int duplicates;

    Counts counts() {
      return new Counts(created, updated, unchanged, 0, failed, ignored, duplicates);
    }
  }

  static Counts ofRemoved(int removed) {
    return new Counts(0, 0, 0, removed, 0, 0, 0);
  }
}
