package dev.torg.bench.alerts;

import dev.torg.api.v1.Offer;
import dev.torg.bench.alerts.Publisher.Published;
import dev.torg.bench.process.TemporaryData;
import dev.torg.bench.process.TorgProcess;
import dev.torg.bench.report.Report;
import dev.torg.bench.report.ReportOptions;
import dev.torg.bench.workload.SampleOffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// From an offer's COMMIT to the bells of all recipients, on the whole system.
@Command(
    name = "alerts",
    description =
        "Publishes offers at a steady rate to a Torg with a million saved searches: every alert that brute force"
            + " expects is written exactly once, how long after the offer's commit, and up to which rate.")
public final class AlertsBench implements Callable<Integer> {
  private static final Duration START = Duration.ofMinutes(10);
  private static final Duration IDLE_TIMEOUT = Duration.ofMinutes(5);
  private static final Duration MEASURE = Duration.ofSeconds(60);
  private static final double STEP = 1.3;
  private static final double MAX_LATENCY_MILLIS = 5_000;

  @Mixin private ReportOptions options;

  @Option(
      names = "--searches",
      defaultValue = "1000000",
      description = "saved searches, one a person (default 1000000; at most 50000 with --quick)")
  private int searches;

  @Option(
      names = "--follows",
      defaultValue = "100000",
      description = "follows of sellers (default 100000; at most 5000 with --quick)")
  private int follows;

  @Option(
      names = "--followers",
      defaultValue = "5",
      description = "followers of each seller (default 5)")
  private int followers;

  @Option(
      names = "--rate",
      defaultValue = "50",
      description = "offers a second of the measured phase (default 50)")
  private int rate;

  @Option(
      names = "--warm-seconds",
      defaultValue = "60",
      description = "warm-up at the measured rate (default 60)")
  private int warmSeconds;

  @Option(
      names = "--no-steps",
      description = "Leave out the search for the highest rate that is held.")
  private boolean noSteps;

  private final List<Offer> published = new ArrayList<>();
  private long failures;
  private List<String> arguments = List.of();

  @Override
  public Integer call() throws IOException, SQLException {
    if (options.quick()) {
      searches = Math.min(searches, 50_000);
      follows = Math.min(follows, 5_000);
      warmSeconds = Math.min(warmSeconds, 5);
    }
    AlertRecipients recipients =
        new AlertRecipients(searches, follows, Math.max(1, follows / followers));
    Supplier<SampleOffer> offers = recipients.drawOffers();
    try (TemporaryData data = TemporaryData.create("bench-alerts")) {
      Path categories = data.path().resolveSibling("categories.yaml");
      arguments =
          List.of(
              "--categories", Site.writeCategories(categories).toString(), "--log-level", "warn");
      fill(data, recipients);
      Report.Builder report = Report.of("alerts", Instant.now());
      double fromDatabase = warm(data, recipients, offers);
      return options.finishBench(
          measure(
              data,
              recipients,
              offers,
              report.result("startFromDatabaseSeconds", round(fromDatabase))));
    }
  }

  /// The tables are filled while alerts are not running. The engine of that first process has no searches, so
  /// its snapshot is deleted.
  private void fill(TemporaryData data, AlertRecipients recipients)
      throws IOException, SQLException {
    long startNanos = System.nanoTime();
    try (TorgProcess torg = up(data);
        CopyRecipients copy = new CopyRecipients(torg.running().database(), Instant.now())) {
      options.progress("copying %,d searches and %,d follows ...", searches, follows);
      CommitTimestamps.enable(torg.running(), data.path());
      copy.copy(recipients);
    }
    Files.deleteIfExists(data.path().resolve("searches.snapshot"));
    options.progress("copied in %.1f s", seconds(startNanos));
  }

  /// A first start loads all searches from the database and writes the snapshot; offers of this run give the
  /// engine its statistics.
  private double warm(
      TemporaryData data, AlertRecipients recipients, Supplier<SampleOffer> offers) {
    long startNanos = System.nanoTime();
    try (TorgProcess torg = up(data)) {
      double seconds = seconds(startNanos);
      options.progress("started from the database in %.1f s", seconds);
      try (Publisher publisher = new Publisher(torg, recipients, offers)) {
        publish(torg, publisher, "first offers", rate, Duration.ofSeconds(5));
      }
      return seconds;
    }
  }

  private Report measure(
      TemporaryData data,
      AlertRecipients recipients,
      Supplier<SampleOffer> offers,
      Report.Builder report) {
    long startNanos = System.nanoTime();
    try (TorgProcess torg = up(data)) {
      double start = seconds(startNanos);
      options.progress("started from the snapshot in %.1f s", start);
      report.result("startSeconds", round(start)).atMost("startSeconds", 10, round(start));
      try (Publisher publisher = new Publisher(torg, recipients, offers)) {
        publish(torg, publisher, "warm-up", rate, Duration.ofSeconds(warmSeconds));
        Published steady = publish(torg, publisher, "steady", rate, options.phase(MEASURE));
        Histogram latency = Delivered.read(torg.running().database()).latency(steady.offers());
        report
            .result("p50Millis", latency.getValueAtPercentile(50))
            .result("p99Millis", latency.getValueAtPercentile(99))
            .result("maxMillis", latency.getMaxValue())
            .atMost("p50Millis", 150, latency.getValueAtPercentile(50))
            .atMost("p99Millis", 1_000, latency.getValueAtPercentile(99))
            .result("maxOffersPerSecond", noSteps ? "not measured" : highest(torg, publisher));
      }
      return compare(torg, recipients, report);
    }
  }

  /// The last of increasing rates at which 99 of 100 alerts arrive within five seconds.
  private double highest(TorgProcess torg, Publisher publisher) {
    double sustained = rate;
    while (true) {
      double next = Math.rint(sustained * STEP);
      Published step = publish(torg, publisher, "step", next, options.phase(MEASURE.dividedBy(2)));
      Histogram latency = Delivered.read(torg.running().database()).latency(step.offers());
      if (latency.getValueAtPercentile(99) > MAX_LATENCY_MILLIS
          || step.calls().failures() > 0
          || step.calls().perSecond() < 0.9 * next) {
        return sustained;
      }
      sustained = next;
    }
  }

  private Published publish(
      TorgProcess torg, Publisher publisher, String name, double perSecond, Duration time) {
    Published run = publisher.run(perSecond, time);
    published.addAll(run.offers());
    failures += run.calls().failures();
    boolean drained = AlertBacklog.await(torg, IDLE_TIMEOUT);
    Histogram latency = Delivered.read(torg.running().database()).latency(run.offers());
    options.progress(
        "%s: %,.0f offers/s requested, %s; %,d alerts, p50 %d ms, p99 %d ms, max %d ms%s",
        name,
        perSecond,
        run.calls(),
        latency.getTotalCount(),
        latency.getValueAtPercentile(50),
        latency.getValueAtPercentile(99),
        latency.getMaxValue(),
        drained ? "" : ", not settled after " + IDLE_TIMEOUT);
    return run;
  }

  private Report compare(TorgProcess torg, AlertRecipients recipients, Report.Builder report) {
    options.progress("comparing %,d offers with all searches ...", published.size());
    Expected expected = Expected.of(recipients, published);
    Delivered delivered = Delivered.read(torg.running().database());
    long missing = delivered.missing(expected.alerts());
    long unexpected = delivered.unexpected(expected.alerts());
    long doubled = delivered.doubled();
    if (missing > 0) {
      options.progress("missing, such as %s", delivered.someMissing(expected.alerts()));
    }
    double offers = published.size();
    double matches = round(expected.matches() / offers);
    if (!options.quick()) {
      report.atLeast("matchesPerOffer", 10, matches);
    }
    return report
        .param("searches", searches)
        .param("follows", follows)
        .param("followersPerSeller", followers)
        .param("offersPerSecond", rate)
        .param("seconds", options.phase(MEASURE).toSeconds())
        .param("warmSeconds", warmSeconds)
        .param("matchesPerOffer", matches)
        .param("alertsPerOffer", round(expected.alerts().size() / offers))
        .result("offers", published.size())
        .result("expected", expected.alerts().size())
        .result("missing", missing)
        .result("doubled", doubled)
        .result("unexpected", unexpected)
        .result("collapsed", delivered.collapsed())
        .result("publishFailures", failures)
        .target("missing", 0, missing, missing == 0)
        .target("doubled", 0, doubled, doubled == 0)
        .target("unexpected", 0, unexpected, unexpected == 0)
        .build();
  }

  private TorgProcess up(TemporaryData data) {
    return TorgProcess.up(data.path(), arguments, START);
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }

  private static double round(double value) {
    return Math.round(value * 100) / 100.0;
  }
}
