package dev.torg.bench.abuse;

import dev.torg.bench.process.TemporaryData;
import dev.torg.bench.process.TorgProcess;
import dev.torg.bench.report.Report;
import dev.torg.bench.report.ReportOptions;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Attacks a server with 1 GB of heap in every known way, one after another, during ordinary traffic.
@Command(
    name = "abuse",
    description =
        "Attack a server with 1 GB of heap (large requests and responses, compressed messages, slow readers, stalled calls,"
            + " unbounded searches and connections) while others use it: it survives, /health responds, ordinary"
            + " calls keep a p99 under 1 s, and alerts still arrive.")
public final class VerifyAbuse implements Callable<Integer> {
  private static final String HEAP = "-Xmx1g";
  private static final double MAX_P99_MILLIS = 1_000;

  /// A short attack sees 60 calls, so that its p99 is its slowest call, and the server's code is still being compiled.
  private static final double MAX_P99_MILLIS_QUICK = 5_000;

  private static final Duration WARM_UP = Duration.ofSeconds(15);
  private static final Duration ATTACK = Duration.ofSeconds(20);
  private static final Duration BETWEEN_ATTACKS = Duration.ofSeconds(2);
  private static final Duration ALERT_TIMEOUT = Duration.ofSeconds(30);
  private static final int LARGE_OFFERS = 500;
  private static final int LARGE_OFFERS_QUICK = 60;

  @Mixin private ReportOptions options;

  @Option(names = "--only", description = "only attacks whose name starts so, for example N3 or 9a")
  private String only = "";

  private final Report.Builder report = Report.of("verify-abuse", Instant.now());

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (TemporaryData data = TemporaryData.create("verify-abuse");
        TorgProcess torg =
            TorgProcess.up(data.path(), List.of("--log-level", "warn"), List.of(HEAP));
        AbuseTarget target = new AbuseTarget(torg.address());
        OrdinaryTraffic traffic = new OrdinaryTraffic(torg.address())) {
      report.param("heap", HEAP).param("attackSeconds", length().toSeconds());
      Thread.sleep(options.quick() ? WARM_UP.dividedBy(3) : WARM_UP);
      for (Attack attack : attacks()) {
        attack(torg, target, traffic, attack);
      }
      boolean notified = torg.isAlive() && traffic.notifiesFollowers(ALERT_TIMEOUT);
      report.target("alertArrivesAfterwards", "yes", notified ? "yes" : "no", notified);
    }
    return options.finishVerify(report.build());
  }

  private List<Attack> attacks() {
    List<Attack> all = new ArrayList<>();
    all.add(new LargeRequests.ChannelNames());
    all.add(new LargeRequests.NotificationSettings());
    all.add(new SlowReaders());
    all.add(
        new UnreadDocuments(
            options.quick() ? UnreadDocuments.CONNECTIONS_QUICK : UnreadDocuments.CONNECTIONS));
    all.add(new PackedMessages());
    all.add(new ManyRules());
    all.add(new LargeBatches.Responses(options.quick() ? LARGE_OFFERS_QUICK : LARGE_OFFERS));
    all.add(new LargeBatches.CompressedResponses());
    all.add(new LargeRequests.JsonTokens());
    all.add(new StalledCalls.RefusedFeeds());
    all.add(new StalledCalls.BlankFeeds());
    all.add(new StalledCalls.GrpcCalls());
    all.add(new StalledCalls.Bodies());
    all.add(new StalledCalls.Connections());
    all.add(new LargeBatches.Backlog());
    all.removeIf(attack -> !attack.name().startsWith(only));
    return all;
  }

  private Duration length() {
    return options.quick() ? Duration.ofSeconds(3) : options.phase(ATTACK);
  }

  private void attack(TorgProcess torg, AbuseTarget target, OrdinaryTraffic traffic, Attack attack)
      throws IOException, InterruptedException {
    attack.prepare(target);
    Thread.sleep(BETWEEN_ATTACKS);
    traffic.measure(BETWEEN_ATTACKS);
    Attackers attackers = new Attackers(length());
    long start = System.nanoTime();
    attack.run(target, attackers);
    Duration time = Duration.ofNanos(System.nanoTime() - start);
    record(attack.name(), traffic.measure(time), attackers.outcomes(), torg.isAlive());
    if (!torg.isAlive()) {
      throw new IllegalStateException(attack.name() + " ended the server; " + torg.lastOutput());
    }
  }

  private void record(
      String name, OrdinaryTraffic.Measured measured, Map<String, Long> outcomes, boolean alive) {
    options.progress(
        "%s: ordinary calls %s; health %s; attackers %s %s",
        name, measured.calls(), measured.probes(), outcomes, measured.reasons());
    double p99 = measured.calls().percentileMillis(99);
    double health = measured.probes().percentileMillis(99);
    long failed = measured.calls().failures();
    long unhealthy = measured.probes().failures();
    report
        .result(name, "attackers %s, ordinary failures %s".formatted(outcomes, measured.reasons()))
        .target(name + ".survived", "yes", alive ? "yes" : "no", alive)
        .target(name + ".ordinaryFailures", 0, failed, failed == 0)
        .target(name + ".ordinaryP99Ms", "<= " + round(maxP99()), round(p99), p99 <= maxP99())
        .target(name + ".healthFailures", 0, unhealthy, unhealthy == 0)
        .target(name + ".healthP99Ms", "<= " + round(maxP99()), round(health), health <= maxP99());
  }

  private double maxP99() {
    return options.quick() ? MAX_P99_MILLIS_QUICK : MAX_P99_MILLIS;
  }

  private static String round(double millis) {
    return String.format(Locale.ROOT, "%.0f", millis);
  }
}
