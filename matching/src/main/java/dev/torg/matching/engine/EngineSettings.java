package dev.torg.matching.engine;

/// How an engine files and hashes. Tests force other keys and collisions; all other callers use [#defaults].
record EngineSettings(long hashMask, KeyChoice choice, int mergeAfter) {
  static final long WHOLE_HASH = -1L;

  /// A merge is due after this many changes, or a sixteenth of the base if that is more.
  static final int MERGE_AFTER = 50_000;

  static EngineSettings defaults() {
    return new EngineSettings(WHOLE_HASH, KeyChoice.CHEAPEST, MERGE_AFTER);
  }
}
