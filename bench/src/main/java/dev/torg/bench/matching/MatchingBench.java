package dev.torg.bench.matching;

import dev.torg.bench.report.Report;
import dev.torg.bench.report.ReportOptions;
import dev.torg.bench.workload.Mix;
import dev.torg.bench.workload.SampleOffer;
import dev.torg.matching.SearchId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `torg bench matching`: the engine on five workloads, compared with Lucene Monitor tuned and with its
/// defaults. Ratios compare processor time per offer on one thread, analysis included on both sides, on equal
/// result sets.
@Command(
    name = "matching",
    description = "Match offers against saved searches, compared with Lucene Monitor.",
    mixinStandardHelpOptions = true)
public final class MatchingBench implements Callable<Integer> {
  private static final Duration PHASE = Duration.ofSeconds(10);

  /// Offers whose result sets are compared with each baseline's.
  private static final int COMPARED = 20;

  private static final List<String> ALL = List.of("narrow", "churn", "longText", "broad", "hotKey");

  @Option(
      names = "--searches",
      paramLabel = "N",
      description = "Saved searches (default: ${DEFAULT-VALUE}).")
  private int searches = 1_000_000;

  @Option(names = "--no-baselines", description = "Measure the engine alone.")
  private boolean noBaselines;

  @Option(names = "--seed", description = "Seed of the workload (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--workloads",
      split = ",",
      description = "Some of narrow, broad, hotKey, longText, churn (default: all).")
  private List<String> workloads = ALL;

  @Spec private CommandSpec spec;

  @Mixin private ReportOptions options = new ReportOptions();

  private final Map<String, Object> results = new LinkedHashMap<>();
  private final Map<String, Object> baselines = new LinkedHashMap<>();
  private final Map<String, Object> ratios = new LinkedHashMap<>();
  private long differences;

  @Override
  public Integer call() {
    requireKnown();
    Report.Builder report = Report.of("matching", Instant.now());
    params(report);
    for (String workload : workloads) {
      workload(report, workload);
    }
    if (!noBaselines) {
      report.target(
          "result sets that differ from a baseline's", "0", differences, differences == 0);
    }
    report.result("workloads", results).baseline("workloads", baselines).ratio("workloads", ratios);
    return options.finishBench(report.build());
  }

  private void requireKnown() {
    for (String workload : workloads) {
      if (!ALL.contains(workload)) {
        throw new ParameterException(
            spec.commandLine(),
            "no workload '%s': there are %s".formatted(workload, String.join(", ", ALL)));
      }
    }
  }

  private void params(Report.Builder report) {
    report
        .param("searches", searches)
        .param("seed", seed)
        .param("workloads", workloads)
        .param("secondsPerPhase", phase().toSeconds())
        .param(
            "baselines",
            noBaselines
                ? "none"
                : "Lucene Monitor 10.3.0, tuned and default, one thread, each bounded to secondsPerPhase")
        .param("comparedOffersPerBaseline", COMPARED)
        .param("ratio", "processor time an offer, one thread, analysis included");
  }

  private Duration phase() {
    return options.phase(PHASE);
  }

  private Sampled sampled(String workload) {
    return switch (workload) {
      case "narrow", "churn" -> new Sampled(seed, searches, Mix.NARROW, false, 20_000);
      case "longText" -> new Sampled(seed, searches, Mix.NARROW, true, 200);
      case "broad" -> new Sampled(seed, searches, Mix.BROAD, false, 20_000);
      case "hotKey" -> new Sampled(seed, searches, Mix.HOT_KEY, false, 5_000);
      default -> throw new IllegalArgumentException("no workload '" + workload + "'");
    };
  }

  private void workload(Report.Builder report, String workload) {
    options.progress("%s: loading %d searches", workload, searches);
    Sampled sampled = sampled(workload);
    try (EngineRun run = new EngineRun(sampled)) {
      options.progress("%s: loaded in %.0f s, measuring", workload, run.loadSeconds());
      run.run(1, phase().dividedBy(2));
      if (workload.equals("churn")) {
        churn(report, run);
        return;
      }
      Measured oneThread = run.run(1, phase());
      Measured two = run.run(2, phase());
      engineResults(report, workload, run, oneThread, two);
      if (!noBaselines) {
        baseline(report, workload, sampled, run, oneThread, true);
        baseline(report, workload, sampled, run, oneThread, false);
      }
      foundBaselines(report, workload, sampled, run, oneThread);
    }
  }

  private void engineResults(
      Report.Builder report, String workload, EngineRun run, Measured oneThread, Measured two) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("searches", run.engine().size());
    values.put("offersPerSecondOneCore", oneThread.offersPerSecond());
    values.put("offersPerSecond", two.offersPerSecond());
    values.putAll(oneThread.latency());
    values.put("matchesPerOffer", oneThread.perOffer(oneThread.matches()));
    values.put("candidatesPerOffer", oneThread.perOffer(oneThread.scanned()));
    values.put("checkedPerOffer", oneThread.perOffer(oneThread.checked()));
    values.put(
        "candidatesPerMatch",
        oneThread.matches() == 0 ? 0 : (double) oneThread.scanned() / oneThread.matches());
    values.put("bytesPerQuery", run.bytesPerQuery());
    values.put("loadSeconds", run.loadSeconds());
    results.put(workload, values);
    if (workload.equals("narrow")) {
      narrowResults(report, run, oneThread, two);
    }
  }

  /// The narrow mix represents the whole where one number is needed.
  private void narrowResults(
      Report.Builder report, EngineRun run, Measured oneThread, Measured two) {
    report
        .result("offersPerSecondOneCore", oneThread.offersPerSecond())
        .result("offersPerSecond", two.offersPerSecond())
        .result("p99Micros", oneThread.micros(99))
        .result("bytesPerQuery", run.bytesPerQuery());
    if (searches >= 10_000_000) {
      report.atLeast("narrow: offers per second", 8_000, two.offersPerSecond());
    }
    report.atMost("narrow: p99 in microseconds", 2_000, oneThread.micros(99));
    if (searches >= 1_000_000) {
      report.atMost("narrow: bytes per query", 200, run.bytesPerQuery());
    }
  }

  private void churn(Report.Builder report, EngineRun run) {
    ChurnRun churn = new ChurnRun(run, searches, seed);
    Measured measured = churn.run(run, 1, phase());
    Measured merging = whileMerging(run);
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("updatesPerSecond", ChurnRun.UPDATES_PER_SECOND);
    values.put("changes", churn.changes());
    values.put("offersPerSecondOneCore", measured.offersPerSecond());
    values.putAll(measured.latency());
    values.put("timeToVisibleP50Micros", churn.visibleMicros(50));
    values.put("timeToVisibleP99Micros", churn.visibleMicros(99));
    values.put("notVisibleAtOnce", churn.missed());
    values.put("whileMerging", merging.latency());
    results.put("churn", values);
    report.atMost("churn: time to visible, p99 in microseconds", 50_000, churn.visibleMicros(99));
    report.atMost(
        "churn: longest match while merging, in microseconds",
        20_000,
        merging.latencies().getMaxValue() / 1e3);
    report.target(
        "churn: adds or removals not visible immediately",
        "0",
        churn.missed(),
        churn.missed() == 0);
  }

  /// One reader, from the start of a merge to its end.
  private Measured whileMerging(EngineRun run) {
    AtomicBoolean going = new AtomicBoolean(true);
    Thread merger =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    run.engine().merge();
                  } finally {
                    going.set(false);
                  }
                });
    Measured measured = run.runWhile(1, going::get);
    try {
      merger.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return measured;
  }

  private void baseline(
      Report.Builder report,
      String workload,
      Sampled sampled,
      EngineRun run,
      Measured engine,
      boolean tuned) {
    String name = tuned ? "tunedMonitor" : "defaultMonitor";
    options.progress("%s: loading %s", workload, name);
    try (MonitorRun monitor = new MonitorRun(sampled, tuned)) {
      differences += differences(run, monitor);
      monitor.run(phase().dividedBy(2));
      Measured measured = monitor.run(phase());
      Map<String, Object> values = new LinkedHashMap<>();
      values.put("offersPerSecondOneCore", measured.offersPerSecond());
      values.putAll(measured.latency());
      values.put("offers", measured.offers());
      values.put("queriesRunPerOffer", measured.perOffer(measured.checked()));
      values.put("loadSeconds", monitor.loadSeconds());
      baselines.put(workload + "." + name, values);
      ratio(report, workload, tuned, measured.cpuMicros() / engine.cpuMicros());
    }
  }

  /// Further baselines on the class path, in addition to Lucene Monitor: see the module
  /// `percolator`.
  private void foundBaselines(
      Report.Builder report, String workload, Sampled sampled, EngineRun run, Measured engine) {
    for (InstalledBaselines.Outcome outcome : InstalledBaselines.measure(sampled, run, phase())) {
      double ratio = outcome.cpuMicros() / engine.cpuMicros();
      baselines.put(workload + "." + outcome.name(), outcome.values());
      ratios.put(workload + ".vs" + outcome.name(), ratio);
      report.target(
          workload + ": result sets that differ from " + outcome.name(),
          "0",
          outcome.differences(),
          outcome.differences() == 0);
      if (workload.equals("narrow")) {
        report.ratio("vs" + outcome.name(), ratio);
      }
    }
  }

  private void ratio(Report.Builder report, String workload, boolean tuned, double ratio) {
    String name = tuned ? "vsTunedMonitor" : "vsDefaultMonitor";
    options.progress("%s: %.1f times %s", workload, ratio, name.substring(2));
    ratios.put(workload + "." + name, ratio);
    if (workload.equals("narrow")) {
      report.ratio(name, ratio);
    }
    if (tuned) {
      report.atLeast(
          workload + ": times tuned Lucene Monitor", workload.equals("narrow") ? 200 : 100, ratio);
    }
  }

  private static long differences(EngineRun run, MonitorRun monitor) {
    long differing = 0;
    for (SampleOffer offer : run.offers().subList(0, COMPARED)) {
      Set<SearchId> matches = new HashSet<>(run.engine().match(Translate.features(offer)).ids());
      differing += matches.equals(monitor.match(offer)) ? 0 : 1;
    }
    return differing;
  }
}
