package dev.torg.bench.workload;

import java.util.SplittableRandom;

/// Draws 0 … n-1, the lower the likelier: the share of rank k is 1/(k+1)^s. By table, so that a draw is one binary search.
final class Zipf {
  private final double[] cumulated;

  Zipf(int n, double s) {
    cumulated = new double[n];
    double sum = 0;
    for (int k = 0; k < n; k++) {
      sum += 1 / Math.pow(k + 1, s);
      cumulated[k] = sum;
    }
  }

  int draw(SplittableRandom random) {
    double target = random.nextDouble() * cumulated[cumulated.length - 1];
    int low = 0;
    int high = cumulated.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (cumulated[middle] < target) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
