package dev.torg.matching.engine;

import java.util.Arrays;

/// Numbers → one byte, keeping their order: 1 + how many bounds are not above the number. The bounds are the ends that a segment's own
/// ranges use, so that for a field with few distinct ends the byte alone decides; for others it decides nearly always.
final class Quantizer {
  /// The byte of a field that an offer lacks, below every range.
  static final int ABSENT = 0;

  static final int LOWEST = 1;
  static final int HIGHEST = 255;

  private static final int MAX_BOUNDS = 253;

  private final long[] bounds;

  private Quantizer(long[] bounds) {
    this.bounds = bounds;
  }

  static Quantizer ofBounds(long[] bounds) {
    return new Quantizer(bounds.clone());
  }

  /// Where no range has been seen: quarter steps between powers of two.
  static Quantizer logarithmic() {
    long[] bounds = new long[MAX_BOUNDS];
    int count = 0;
    bounds[count++] = 0;
    for (int power = 2; power < 63; power++) {
      for (long quarter = 0; quarter < 4; quarter++) {
        bounds[count++] = (1L << power) + (quarter << (power - 2));
      }
    }
    return new Quantizer(Arrays.copyOf(bounds, count));
  }

  /// Bounds from the ends in use (sorted here): all of them when they fit, else evenly chosen ones.
  static Quantizer ofEnds(long[] ends, int count) {
    long[] sorted = Arrays.copyOf(ends, count);
    Arrays.sort(sorted);
    int distinct = 0;
    for (int i = 0; i < count; i++) {
      if (distinct == 0 || sorted[distinct - 1] != sorted[i]) {
        sorted[distinct++] = sorted[i];
      }
    }
    if (distinct <= MAX_BOUNDS) {
      return new Quantizer(Arrays.copyOf(sorted, distinct));
    }
    long[] endpoints = new long[MAX_BOUNDS];
    for (int i = 0; i < MAX_BOUNDS; i++) {
      endpoints[i] = sorted[(int) ((long) i * (distinct - 1) / (MAX_BOUNDS - 1))];
    }
    return new Quantizer(endpoints);
  }

  int step(long value) {
    int low = 0;
    int high = bounds.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (bounds[middle] <= value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return LOWEST + low;
  }

  int stepFrom(long from) {
    return from == Long.MIN_VALUE ? LOWEST : step(from);
  }

  int stepTo(long to) {
    return to == Long.MAX_VALUE ? HIGHEST : step(to);
  }

  long[] bounds() {
    return bounds.clone();
  }
}
