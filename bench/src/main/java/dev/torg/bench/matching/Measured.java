package dev.torg.bench.matching;

import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/// The results of one run over offers.
record Measured(
    long offers,
    long nanos,
    long cpuNanos,
    Histogram latencies,
    long matches,
    long scanned,
    long checked) {
  double offersPerSecond() {
    return offers * 1e9 / nanos;
  }

  /// Processor time per offer.
  double cpuMicros() {
    return cpuNanos / 1e3 / offers;
  }

  double micros(double percentile) {
    return latencies.getValueAtPercentile(percentile) / 1e3;
  }

  double perOffer(long count) {
    return offers == 0 ? 0 : (double) count / offers;
  }

  Map<String, Object> latency() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("cpuMicros", cpuMicros());
    values.put("meanMicros", latencies.getMean() / 1e3);
    values.put("p50Micros", micros(50));
    values.put("p99Micros", micros(99));
    values.put("p999Micros", micros(99.9));
    values.put("maxMicros", latencies.getMaxValue() / 1e3);
    return values;
  }

  Measured and(Measured other) {
    Histogram both = latencies.copy();
    both.add(other.latencies);
    return new Measured(
        offers + other.offers,
        Math.max(nanos, other.nanos),
        cpuNanos + other.cpuNanos,
        both,
        matches + other.matches,
        scanned + other.scanned,
        checked + other.checked);
  }
}
