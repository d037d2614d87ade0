package dev.torg.matching.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A number within a range must have a step within the range's steps, or the engine would lose a match.
class QuantizerTest {
  private static final long[] EXTREMES = {
    Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1, 3, 4, 5, Long.MAX_VALUE - 1, Long.MAX_VALUE
  };

  /// As many ranges, whose ends are the bounds: up to 253 bounds each end has a step of its own.
  @ParameterizedTest
  @CsvSource({"1, true", "50, true", "126, true", "1000, false"})
  void step_rangesThatMadeTheBounds_excludeNumbersOutside(int ranges, boolean exact) {
    Random random = new Random(ranges);
    long[] lows = random.longs(ranges, -1_000_000, 1_000_000).toArray();
    long[] highs = LongStream.of(lows).map(low -> low + random.nextInt(1_000)).toArray();
    long[] ends =
        LongStream.concat(LongStream.of(lows), LongStream.of(highs).map(high -> high + 1))
            .toArray();
    Quantizer quantizer = Quantizer.ofEnds(ends, ends.length);

    for (int i = 0; i < ranges; i++) {
      assertThat(isWithin(quantizer, lows[i], lows[i], highs[i])).isTrue();
      assertThat(isWithin(quantizer, highs[i], lows[i], highs[i])).isTrue();
      if (exact) {
        assertThat(isWithin(quantizer, lows[i] - 1, lows[i], highs[i])).isFalse();
        assertThat(isWithin(quantizer, highs[i] + 1, lows[i], highs[i])).isFalse();
      }
    }
  }

  @Test
  void step_anyNumbers_keepTheirOrder() {
    Random random = new Random(7);
    long[] numbers =
        LongStream.concat(
                LongStream.of(EXTREMES), random.longs(10_000).map(n -> n >> random.nextInt(64)))
            .sorted()
            .toArray();
    long[] ends = random.longs(5_000).toArray();

    for (Quantizer quantizer :
        new Quantizer[] {Quantizer.logarithmic(), Quantizer.ofEnds(ends, ends.length)}) {
      int last = Quantizer.LOWEST;
      for (long number : numbers) {
        int step = quantizer.step(number);
        assertThat(step).isBetween(last, Quantizer.HIGHEST - 1);
        last = step;
      }
      assertThat(last).as("uses most steps").isGreaterThan(200);
    }
  }

  @Test
  void step_openEnds_containEveryNumber() {
    Quantizer quantizer = Quantizer.logarithmic();
    for (long number : EXTREMES) {
      assertThat(isWithin(quantizer, number, Long.MIN_VALUE, Long.MAX_VALUE)).isTrue();
    }
  }

  /// Quarter steps between powers of two.
  @Test
  void logarithmic_quarters_haveTheirOwnSteps() {
    Quantizer quantizer = Quantizer.logarithmic();

    assertThat(LongStream.of(-1, 0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16).map(quantizer::step))
        .containsExactly(1L, 2L, 2L, 3L, 4L, 5L, 6L, 7L, 7L, 8L, 8L, 9L, 11L);
  }

  @Test
  void ofBounds_ofAnother_givesTheSameSteps() {
    Quantizer original = Quantizer.ofEnds(new long[] {30, 10, 20, 10}, 3);
    Quantizer copy = Quantizer.ofBounds(original.bounds());

    assertThat(original.bounds()).containsExactly(10, 20, 30);
    assertThat(LongStream.range(0, 40).map(copy::step))
        .containsExactlyElementsOf(LongStream.range(0, 40).map(original::step).boxed().toList());
  }

  private static boolean isWithin(Quantizer quantizer, long number, long from, long to) {
    int step = quantizer.step(number);
    return quantizer.stepFrom(from) <= step && step <= quantizer.stepTo(to);
  }
}
