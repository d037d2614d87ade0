package dev.torg.bench.notifications;

import dev.torg.bench.process.ApiClient;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/// Reads two bells in turn, so that both meet the same machine, and compares the slowest percent of the reads.
record BellReads(ApiClient many, ApiClient few, int reads) {
  private static final double PERCENTILE = 0.99;

  /// In milliseconds.
  record Result(double many, double few) {
    double ratio() {
      return many / few;
    }
  }

  Result p99(String path) {
    for (int i = 0; i < reads / 10; i++) {
      many.get(path);
      few.get(path);
    }
    long[] ofMany = new long[reads];
    long[] ofFew = new long[reads];
    for (int i = 0; i < reads; i++) {
      ofMany[i] = nanos(many, path);
      ofFew[i] = nanos(few, path);
    }
    return new Result(p99(ofMany), p99(ofFew));
  }

  private static long nanos(ApiClient client, String path) {
    long start = System.nanoTime();
    client.get(path);
    return System.nanoTime() - start;
  }

  private static double p99(long[] nanos) {
    Arrays.sort(nanos);
    return nanos[(int) (nanos.length * PERCENTILE)] / (double) TimeUnit.MILLISECONDS.toNanos(1);
  }
}
