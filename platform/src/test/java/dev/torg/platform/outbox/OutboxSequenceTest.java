package dev.torg.platform.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutboxSequenceTest {
  @ParameterizedTest
  @CsvSource({
    "100, 0,   100",
    "101, 0,   102",
    "100, 99,  100",
    "100, 100, 102",
    "100, 101, 102",
    "100, 500, 502",
    "0,   0,   2",
  })
  void evenAfter_isEvenAndAboveTheFormer(long at, long former, long expected) {
    assertThat(OutboxSequence.evenAfter(at, former)).isEqualTo(expected);
  }

  @Test
  void evenAndOdd_ofOneTime_differ() {
    assertThat(OutboxSequence.odd(100)).isEqualTo(101);
    assertThat(OutboxSequence.odd(101)).isEqualTo(101);
    assertThat(OutboxSequence.even(100)).isEqualTo(100);
    assertThat(OutboxSequence.even(101)).isEqualTo(100);
  }

  @Test
  void withRandomOffset_isWithinAMillisecond() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(OutboxSequence.withRandomOffset(5_000)).isBetween(5_000L, 5_999L);
    }
  }
}
