package dev.torg.matching.engine;

/// How often keys were seen, in fixed memory: a count-min sketch (Cormode and Muthukrishnan, 2005) with
/// conservative updates, halved from time to time so that old counts decay. Four rows; the estimate is the
/// lowest counter and never too low.
final class Sketch {
  private static final int ROWS = 4;

  private final int bits;
  private final int[] counters;

  Sketch(int bits) {
    this.bits = bits;
    this.counters = new int[ROWS << bits];
  }

  void add(long key) {
    int least = count(key);
    for (int row = 0; row < ROWS; row++) {
      int slot = slot(key, row);
      counters[slot] = Math.max(counters[slot], least + 1);
    }
  }

  int count(long key) {
    int least = Integer.MAX_VALUE;
    for (int row = 0; row < ROWS; row++) {
      least = Math.min(least, counters[slot(key, row)]);
    }
    return least;
  }

  private int slot(long key, int row) {
    long mixed = key * (0x9E3779B97F4A7C15L + 2L * row * 0x632BE59BD9B4E019L);
    return (row << bits) + (int) (mixed >>> (64 - bits));
  }

  void halve() {
    for (int i = 0; i < counters.length; i++) {
      counters[i] >>>= 1;
    }
  }

  int[] counters() {
    return counters;
  }

  long bytes() {
    return 4L * counters.length;
  }
}
