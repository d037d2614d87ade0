package dev.torg.bench.matching;

import dev.torg.bench.workload.SampleOffer;
import dev.torg.matching.SearchId;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;

/// Measures the baselines found as services. They have threads of their own, so the whole process's time counts.
final class InstalledBaselines {
  record Outcome(String name, Map<String, Object> values, double cpuMicros, long differences) {}

  private InstalledBaselines() {}

  static List<Outcome> measure(Sampled sampled, EngineRun run, Duration time) {
    return ServiceLoader.load(Baseline.Provider.class).stream()
        .map(provider -> measure(provider.get(), sampled, run, time))
        .toList();
  }

  private static Outcome measure(
      Baseline.Provider provider, Sampled sampled, EngineRun run, Duration time) {
    long start = System.nanoTime();
    try (Baseline baseline = provider.load(sampled.queries())) {
      double loadSeconds = (System.nanoTime() - start) / 1e9;
      long differences = differences(run, baseline);
      long end = System.nanoTime() + time.toNanos();
      long before = System.nanoTime();
      long cpu = processCpu();
      int offers = 0;
      while (System.nanoTime() < end) {
        int from = offers % (run.offers().size() - baseline.batch());
        offers += baseline.match(run.offers().subList(from, from + baseline.batch())).size();
      }
      Map<String, Object> values = new LinkedHashMap<>();
      double cpuMicros = (processCpu() - cpu) / 1e3 / offers;
      values.put("offersPerSecond", offers * 1e9 / (System.nanoTime() - before));
      values.put("cpuMicros", cpuMicros);
      values.put("batch", baseline.batch());
      values.put("loadSeconds", loadSeconds);
      return new Outcome(provider.name(), values, cpuMicros, differences);
    }
  }

  private static long differences(EngineRun run, Baseline baseline) {
    List<SampleOffer> offers = run.offers().subList(0, baseline.batch());
    List<Set<SearchId>> baselineMatches = baseline.match(offers);
    long differing = 0;
    for (int i = 0; i < offers.size(); i++) {
      Set<SearchId> engineMatches =
          new HashSet<>(run.engine().match(Translate.features(offers.get(i))).ids());
      differing += engineMatches.equals(baselineMatches.get(i)) ? 0 : 1;
    }
    return differing;
  }

  private static long processCpu() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
        .getProcessCpuTime();
  }
}
