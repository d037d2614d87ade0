package dev.torg.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HomeTest {
  /// The published test vectors of murmur3 x86 32 with seed 0. Homes are stored in rows
  /// permanently: with another hash existing rows would not be found.
  @Test
  void of_knownKeys_staysWhereItIs() {
    assertThat(Home.of("").number()).isZero();
    assertThat(Home.of("test").number()).isEqualTo((int) (0xba6bd213L % 256));
    assertThat(Home.of("Hello, world!").number()).isEqualTo((int) (0xc0363e43L % 256));
    assertThat(Home.of("The quick brown fox jumps over the lazy dog").number())
        .isEqualTo((int) (0x2e4ff723L % 256));
  }

  @Test
  void of_manyKeys_spreadsEvenly() {
    int[] counts = new int[Home.COUNT];
    IntStream.range(0, 256_000).forEach(i -> counts[Home.of("user:" + i).number()]++);
    assertThat(Arrays.stream(counts).min().orElseThrow()).isGreaterThan(850);
    assertThat(Arrays.stream(counts).max().orElseThrow()).isLessThan(1_150);
  }

  @Test
  void group_allHomes_areSharedEvenly() {
    int[] counts = new int[Home.GROUPS];
    IntStream.range(0, Home.COUNT).forEach(number -> counts[new Home(number).group()]++);
    assertThat(counts).containsOnly(Home.COUNT / Home.GROUPS);
  }

  @Test
  void home_outOfRange_isRefused() {
    assertThatThrownBy(() -> new Home(256)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Home(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}
