package dev.torg.matching;

import java.math.BigDecimal;
import java.math.RoundingMode;

/// Numbers of attributes as whole millionths, so that comparing is exact and fast.
public final class Decimals {
  /// Digits after the point; finer values are rounded half to even, in queries and offers alike.
  static final int SCALE = 6;

  private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE - 1, SCALE);

  private Decimals() {}

  /// Values beyond nine trillion are clamped to that limit: an open range still matches them.
  public static long micros(BigDecimal value) {
    return value
        .min(LARGEST)
        .max(LARGEST.negate())
        .setScale(SCALE, RoundingMode.HALF_EVEN)
        .unscaledValue()
        .longValueExact();
  }

  static BigDecimal decimal(long micros) {
    return BigDecimal.valueOf(micros, SCALE);
  }

  static String plain(BigDecimal value) {
    return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
  }
}
