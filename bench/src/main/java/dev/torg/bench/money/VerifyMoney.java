package dev.torg.bench.money;

import dev.torg.bench.alerts.ApiHost;
import dev.torg.bench.process.Drained;
import dev.torg.bench.process.ServiceToken;
import dev.torg.bench.process.TemporaryData;
import dev.torg.bench.process.TorgProcess;
import dev.torg.bench.report.Report;
import dev.torg.bench.report.ReportOptions;
import dev.torg.platform.Caller.Role;
import dev.torg.platform.Failure;
import dev.torg.platform.db.Database;
import dev.torg.promotions.audit.MoneyAudit;
import dev.torg.promotions.audit.MoneyFinding;
import dev.torg.promotions.audit.MoneyProblem;
import dev.torg.server.run.RunningInstance;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Two processes serve sellers who buy promotions, with a provider whose webhooks are repeated, delayed and reordered, and
/// are killed. Afterwards the tables of all homes are read and [recomputed][MoneyAudit]. With a given database or data
/// directory it recomputes only: no load, no kills, no writes.
@Command(
    name = "money",
    description =
        "Kill -9 processes during payments, some rounds, with webhooks repeated, delayed and reordered: every successful"
            + " payment is applied, refunded or on the balance, exactly once, and every ledger balances. With --db or"
            + " --data: recompute this installation, without load.")
public final class VerifyMoney implements Callable<Integer> {
  private static final Duration SETTLE = Duration.ofMinutes(6);
  private static final Duration SETTLE_CHECK = Duration.ofSeconds(2);
  private static final Duration DRAIN = Duration.ofMinutes(2);
  private static final int MAX_MILLIS_BEFORE_KILL = 4_000;
  private static final int MAX_MILLIS_DOWN = 3_000;
  private static final int MAX_FINDINGS_SHOWN = 20;

  @Mixin private ReportOptions options;

  @Option(
      names = "--rounds",
      defaultValue = "10",
      description = "how many (default 10; 3 with --quick)")
  private int rounds;

  @Option(names = "--seed", defaultValue = "1", description = "of the sellers, victims and times")
  private long seed;

  @Option(names = "--db", paramLabel = "URL", description = "recompute this database only")
  private @Nullable String databaseUrl;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "recompute the database of the Torg that runs on this directory only")
  private @Nullable Path dataDirectory;

  private final MoneyRecord record = new MoneyRecord();

  @Override
  public Integer call() throws IOException {
    Optional<String> existing = existingDatabase();
    return existing.isPresent() ? recompute(existing.get()) : prove();
  }

  private Optional<String> existingDatabase() {
    if (databaseUrl != null) {
      return Optional.of(databaseUrl);
    }
    return Optional.ofNullable(dataDirectory)
        .map(
            data ->
                RunningInstance.read(data)
                    .map(running -> "jdbc:" + running.database())
                    .orElseThrow(
                        () ->
                            Failure.unavailable(
                                "torg.not-running", "no Torg runs on " + data, null)));
  }

  /// What jobs have still to do is reported, but is no violation: the installation may be in use.
  private int recompute(String url) {
    try (Database database = Database.connect(url, 2)) {
      MoneyState state = MoneyState.read(database, MoneyAudit.ofAnyHistory());
      Report.Builder report = Report.of("verify-money", Instant.now());
      report.result("unsettled", state.unsettled().size());
      return finish(report, state);
    }
  }

  private int prove() throws IOException {
    rounds = options.quick() ? Math.min(rounds, 3) : rounds;
    try (TemporaryData data = TemporaryData.create("verify-money");
        TorgProcess host = ApiHost.start(data.path(), Optional.empty());
        MoneyProcesses processes = MoneyProcesses.start(host);
        Database database = Database.connect("jdbc:" + host.running().database(), 2)) {
      SplittableRandom random = new SplittableRandom(seed);
      MoneySellers sellers =
          MoneySellers.start(
              processes.clients(),
              ServiceToken.of(host, Role.MODERATOR),
              ServiceToken.of(host, Role.ADMIN),
              record,
              random.split());
      for (int round = 1; round <= rounds; round++) {
        options.progress(
            "round %d of %d: %s; %s",
            round, rounds, play(processes, round, random), record.counts());
      }
      sellers.stop();
      Drained.await(host.running().database(), DRAIN);
      MoneyState state = awaitSettled(database);
      Report.Builder report = done(processes);
      none(report, "unsettled", state.unsettled().size());
      none(report, "acknowledgedPaymentsLost", lost(state));
      none(report, "promotionsOfEndedOffers", promotedAfterEnd(state));
      none(report, "requestsFailed", record.failures().size());
      report.target("paymentsPaid", "> 0", state.paid().size(), !state.paid().isEmpty());
      return finish(report, state);
    }
  }

  /// One process is killed, or both.
  private static String play(MoneyProcesses processes, int round, SplittableRandom random) {
    List<Integer> victims = round % 3 == 0 ? List.of(0, 1) : List.of(random.nextInt(2));
    pause(random.nextInt(MAX_MILLIS_BEFORE_KILL));
    victims.forEach(processes::kill);
    pause(random.nextInt(MAX_MILLIS_DOWN));
    victims.forEach(processes::restart);
    return "processes %s killed".formatted(victims);
  }

  /// Waits until no job has anything to do and the ends of offers are known. Returns the last state, also when that took
  /// longer.
  private MoneyState awaitSettled(Database database) {
    long deadline = System.nanoTime() + SETTLE.toNanos();
    while (true) {
      MoneyState state = MoneyState.read(database, MoneyAudit.knowing(record::neverEnded));
      boolean isSettled = state.unsettled().isEmpty() && promotedAfterEnd(state) == 0;
      if (isSettled || System.nanoTime() > deadline) {
        return state;
      }
      options.progress("%d unsettled", state.unsettled().size());
      pause(SETTLE_CHECK.toMillis());
    }
  }

  private long lost(MoneyState state) {
    return record.paid().stream().filter(payment -> !state.paid().contains(payment)).count();
  }

  private long promotedAfterEnd(MoneyState state) {
    return state.promoted().stream().filter(record::hasEnded).count();
  }

  private Report.Builder done(MoneyProcesses processes) {
    return Report.of("verify-money", Instant.now())
        .param("rounds", rounds)
        .param("sellers", MoneySellers.COUNT)
        .param("seed", seed)
        .result("kills", processes.kills())
        .result("actions", record.counts())
        .result("failures", record.failures());
  }

  private int finish(Report.Builder report, MoneyState state) {
    state.violations().stream()
        .limit(MAX_FINDINGS_SHOWN)
        .map(MoneyFinding::toString)
        .forEach(finding -> options.progress("%s", finding));
    state.unsettled().stream()
        .limit(MAX_FINDINGS_SHOWN)
        .map(MoneyFinding::toString)
        .forEach(finding -> options.progress("%s", finding));
    report
        .result("payments", state.payments())
        .result("paymentsPaidAtTheProvider", state.paid().size())
        .result("amountRefunded", state.refundedAmount())
        .result("ledgerEntries", state.entries())
        .result("activeServices", state.activeServices());
    for (MoneyProblem problem : MoneyProblem.values()) {
      if (problem != MoneyProblem.UNSETTLED) {
        none(report, problem.name(), state.count(problem));
      }
    }
    return options.finishVerify(report.build());
  }

  private static void none(Report.Builder report, String name, long value) {
    report.target(name, 0, value, value == 0);
  }

  private static void pause(long millis) {
    LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
  }
}
