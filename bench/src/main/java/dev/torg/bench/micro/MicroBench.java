package dev.torg.bench.micro;

import dev.torg.bench.report.Report;
import dev.torg.bench.report.ReportOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `torg bench micro`: the JMH benchmarks of this package, with JMH's own error of each score.
@Command(
    name = "micro",
    description = "Micro-benchmarks of inner loops (JMH).",
    mixinStandardHelpOptions = true)
public final class MicroBench implements Callable<Integer> {
  @Option(
      names = "--include",
      paramLabel = "REGEX",
      description = "Which benchmarks (default: all).")
  private String include = "dev\\.torg\\.bench\\.micro\\..*";

  @Mixin private ReportOptions options = new ReportOptions();

  @Override
  public Integer call() throws RunnerException {
    Report.Builder report = Report.of("micro", Instant.now()).param("include", include);
    for (RunResult result : new Runner(jmh()).run()) {
      Map<String, Object> values = new LinkedHashMap<>();
      values.put("score", result.getPrimaryResult().getScore());
      values.put("error", result.getPrimaryResult().getScoreError());
      values.put("unit", result.getPrimaryResult().getScoreUnit());
      report.result(result.getParams().getBenchmark().replace("dev.torg.bench.micro.", ""), values);
    }
    return options.finishBench(report.build());
  }

  private Options jmh() {
    long seconds = options.phase(Duration.ofSeconds(5)).toSeconds();
    return new OptionsBuilder()
        .include(include)
        .forks(options.quick() ? 0 : 1)
        .warmupIterations(3)
        .warmupTime(TimeValue.seconds(seconds))
        .measurementIterations(5)
        .measurementTime(TimeValue.seconds(seconds))
        .verbosity(VerboseMode.SILENT)
        .build();
  }
}
