package dev.torg.offers.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OfferEventSequenceTest {
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
  void ofOffer_isEvenAndAboveTheFormer(long at, long former, long expected) {
    assertThat(OfferEventSequence.ofOffer(at, former)).isEqualTo(expected);
  }

  @Test
  void ofStage_isOdd() {
    assertThat(OfferEventSequence.ofStage(100)).isEqualTo(101);
    assertThat(OfferEventSequence.ofStage(101)).isEqualTo(101);
  }
}
