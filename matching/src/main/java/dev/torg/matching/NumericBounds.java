package dev.torg.matching;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// A range of a numeric attribute in millionths, both ends inclusive; the ends of `long` mean open.
public record NumericBounds(long from, long to) {
  public NumericBounds {
    if (from > to) {
      throw new InvalidQuery("range", "The range's lower end is above its upper end.");
    }
  }

  public static NumericBounds of(@Nullable BigDecimal from, @Nullable BigDecimal to) {
    return new NumericBounds(
        from == null ? Long.MIN_VALUE : Decimals.micros(from),
        to == null ? Long.MAX_VALUE : Decimals.micros(to));
  }

  boolean isOpen() {
    return from == Long.MIN_VALUE && to == Long.MAX_VALUE;
  }
}
