package dev.torg.bench.report;

import java.io.PrintStream;
import java.time.Duration;
import picocli.CommandLine.Option;

/// The options every bench and verify shares, and the one place that prints: the report goes to standard output,
/// progress to standard error, so that `--json` leaves exactly one JSON object.
public final class ReportOptions {
  @Option(names = "--json", description = "Print the report as one JSON object.")
  private boolean json;

  @Option(names = "--seconds", paramLabel = "N", description = "Measure about N seconds a phase.")
  private int seconds;

  @Option(names = "--quick", description = "A short run for a first impression.")
  private boolean quick;

  private PrintStream out = System.out;
  private PrintStream progress = System.err;

  /// Sends both streams elsewhere, for tests.
  public ReportOptions printTo(PrintStream report, PrintStream steps) {
    out = report;
    progress = steps;
    return this;
  }

  public boolean quick() {
    return quick;
  }

  /// How long to measure one phase: as given by `--seconds`, else the default, else 2 s with `--quick`.
  public Duration phase(Duration defaultDuration) {
    if (seconds > 0) {
      return Duration.ofSeconds(seconds);
    }
    return quick ? Duration.ofSeconds(2) : defaultDuration;
  }

  public void progress(String format, Object... arguments) {
    progress.printf(format + "%n", arguments);
  }

  public void print(Report report) {
    out.println(json ? ReportJson.of(report) : ReportTable.of(report));
  }

  /// A benchmark reports what it measured: always exit code 0.
  public int finishBench(Report report) {
    print(report);
    return 0;
  }

  /// A verification exits with 1 if any target is missed.
  public int finishVerify(Report report) {
    print(report);
    return report.allMet() ? 0 : 1;
  }
}
