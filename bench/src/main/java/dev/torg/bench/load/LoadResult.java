package dev.torg.bench.load;

import java.time.Duration;
import org.HdrHistogram.Histogram;

/// The result of a load run: latencies of the successful responses in microseconds, the number of failures, and
/// the duration.
public record LoadResult(Histogram latency, long failures, Duration time) {
  public long calls() {
    return latency.getTotalCount();
  }

  public double perSecond() {
    return calls() / (time.toNanos() / 1e9);
  }

  public double percentileMillis(double percentile) {
    return latency.getValueAtPercentile(percentile) / 1_000.0;
  }

  @Override
  public String toString() {
    return "%,.0f/s, p50 %.2f ms, p99 %.2f ms%s"
        .formatted(
            perSecond(),
            percentileMillis(50),
            percentileMillis(99),
            failures == 0 ? "" : ", " + failures + " failed");
  }
}
