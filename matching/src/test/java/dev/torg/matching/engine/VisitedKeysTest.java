package dev.torg.matching.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class VisitedKeysTest {
  /// Keys that follow each other and keys that share a slot, more than the table holds at first.
  private static final long[] KEYS =
      LongStream.concat(
              LongStream.rangeClosed(1, 1_000), LongStream.rangeClosed(1, 1_000).map(i -> i << 32))
          .toArray();

  @Test
  void add_keySeenBefore_isFalseUntilCleared() {
    VisitedKeys visited = new VisitedKeys();
    for (int round = 0; round < 2; round++) {
      for (long key : KEYS) {
        assertThat(visited.add(key)).isTrue();
      }
      for (long key : KEYS) {
        assertThat(visited.add(key)).isFalse();
      }
      visited.clear();
    }
  }

  @Test
  void clear_oneKey_isForgotten() {
    VisitedKeys visited = new VisitedKeys();
    visited.add(1);
    visited.clear();

    assertThat(visited.add(1)).isTrue();
  }
}
