package dev.torg.platform.coalesce;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GatherTimeTest {
  private static final int MAX_BATCH = 100;

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "a quarter of the last batch's time, 8,  4_000_000,  0,         1,   1_000_000",
    "at most five milliseconds,          50, 40_000_000, 0,         1,   5_000_000",
    "no batch before,                    0,  0,          0,         1,   0",
    "a small batch before,               7,  4_000_000,  0,         1,   0",
    "a recent batch,                     8,  4_000_000,  4_999_999, 1,   1_000_000",
    "a batch some time ago,              8,  4_000_000,  5_000_000, 1,   0",
    "fewer items than a batch holds,     8,  4_000_000,  0,         99,  1_000_000",
    "enough items for a batch,           8,  4_000_000,  0,         100, 0",
  })
  void nanos_allCases(
      String name,
      int lastSize,
      String lastNanos,
      String nanosSince,
      int waiting,
      String expectedNanos) {
    assertThat(
            GatherTime.nanos(lastSize, number(lastNanos), number(nanosSince), waiting, MAX_BATCH))
        .isEqualTo(number(expectedNanos));
  }

  private static long number(String digits) {
    return Long.parseLong(digits.replace("_", ""));
  }
}
