package dev.torg.bench.alerts;

import dev.torg.bench.alerts.Expected.Alerted;
import dev.torg.bench.process.ApiClient;
import dev.torg.bench.process.ExternalDatabase;
import dev.torg.bench.process.TemporaryData;
import dev.torg.bench.process.TorgProcess;
import dev.torg.bench.report.Report;
import dev.torg.bench.report.ReportOptions;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Two processes relay, project, match and write alerts; a third serves calls and embeds Kafka and, unless a database
/// is given, PostgreSQL. In each round offers are published while one of the two is killed, or frozen for up
/// to fifteen seconds, longer than leases and memberships last; every third round both are frozen
/// while users save searches and follows right before the offers, the first time for a whole
/// minute. Afterwards every recipient must have been notified of every offer exactly once.
@Command(
    name = "alerts",
    description =
        "Kill -9 and freeze processes while offers are published, some rounds: everyone who should be notified of an offer"
            + " is notified exactly once, including those who saved a search just before while nothing was relayed.")
public final class VerifyAlerts implements Callable<Integer> {
  private static final int OFFERS = 12;
  private static final Duration TIMEOUT = Duration.ofSeconds(120);
  private static final Duration A_MINUTE = Duration.ofMinutes(1);
  private static final Duration DUPLICATE_WAIT = Duration.ofSeconds(5);

  @Mixin private ReportOptions options;

  @Mixin private ExternalDatabase externalDatabase;

  @Option(
      names = "--rounds",
      defaultValue = "20",
      description = "how many (default 20; 3 with --quick)")
  private int rounds;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "of the random choice of victims and times")
  private long seed;

  private final Set<Alerted> expected = new HashSet<>();
  private final List<TorgProcess> workers = new ArrayList<>();
  private int kills;
  private int freezes;
  private int frozenRounds;
  private long longestFreezeMillis;

  @Override
  public Integer call() throws IOException {
    int count = options.quick() ? Math.min(rounds, 3) : rounds;
    Optional<String> database = externalDatabase.requireEmpty();
    try (TemporaryData data = TemporaryData.create("verify-alerts");
        TorgProcess host = ApiHost.start(data.path(), database)) {
      try (ApiClient anonymous = new ApiClient(host.address())) {
        workers.add(worker(host, 0));
        workers.add(worker(host, 1));
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 1; round <= count; round++) {
          String done = play(host, new Round(anonymous, round), round, random);
          long missing = awaitAll(host);
          options.progress("round %d of %d: %s; %d missing", round, count, done, missing);
        }
        LockSupport.parkNanos(DUPLICATE_WAIT.toNanos());
        return options.finishVerify(report(host, count));
      } finally {
        workers.forEach(TorgProcess::kill);
      }
    }
  }

  private static TorgProcess worker(TorgProcess host, int number) {
    return ApiHost.worker(host, "worker" + number);
  }

  private String play(TorgProcess host, Round round, int number, SplittableRandom random) {
    String done;
    if (number % 3 == 0) {
      done = freezeBoth(round, random);
    } else {
      round.saveAll();
      done = publishAndHurt(host, round, number % 3 == 1, random);
    }
    expected.addAll(round.expected());
    return done;
  }

  private String freezeBoth(Round round, SplittableRandom random) {
    frozenRounds++;
    workers.get(0).freeze();
    workers.get(1).freeze();
    round.saveAll();
    publish(round, OFFERS);
    int millis = 1_000 + random.nextInt(14_000);
    boolean wholeMinute = frozenRounds == 1 && !options.quick();
    pause(wholeMinute ? Math.max(millis, A_MINUTE.toMillis()) : millis);
    longestFreezeMillis = Math.max(longestFreezeMillis, wholeMinute ? A_MINUTE.toMillis() : millis);
    boolean otherFirst = random.nextBoolean();
    workers.get(otherFirst ? 1 : 0).wake();
    pause(random.nextInt(3_000));
    workers.get(otherFirst ? 0 : 1).wake();
    return "nothing was relayed while searches and follows were saved and offers published";
  }

  private String publishAndHurt(
      TorgProcess host, Round round, boolean kill, SplittableRandom random) {
    int victim = random.nextInt(2);
    int before = 1 + random.nextInt(OFFERS - 2);
    publish(round, before);
    pause(random.nextInt(400));
    if (kill) {
      kills++;
      workers.get(victim).kill();
      publish(round, OFFERS - before);
      workers.set(victim, worker(host, victim));
      return "worker " + victim + " killed after " + before + " offers";
    }
    freezes++;
    workers.get(victim).freeze();
    publish(round, OFFERS - before);
    int millis = 500 + random.nextInt(14_500);
    pause(millis);
    workers.get(victim).wake();
    return "worker " + victim + " frozen for " + millis + " ms after " + before + " offers";
  }

  private static void publish(Round round, int offers) {
    for (int i = 0; i < offers; i++) {
      round.publish();
    }
  }

  /// The number of alerts still missing at the timeout.
  private long awaitAll(TorgProcess host) {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    long missing;
    do {
      pause(500);
      missing = Delivered.readWithoutTimes(host.running().database()).missing(expected);
    } while (missing > 0 && System.nanoTime() < deadline);
    return missing;
  }

  private Report report(TorgProcess host, int count) {
    Delivered delivered = Delivered.readWithoutTimes(host.running().database());
    long missing = delivered.missing(expected);
    long doubled = delivered.doubled();
    long unexpected = delivered.unexpected(expected);
    if (missing > 0) {
      options.progress("missing, such as %s", delivered.someMissing(expected));
    }
    return Report.of("verify-alerts", Instant.now())
        .param("rounds", count)
        .param("offersPerRound", OFFERS)
        .param("seed", seed)
        .param("database", host.describedDatabase())
        .result("kills", kills)
        .result("freezes", freezes)
        .result("heldBack", frozenRounds)
        .result("longestHeldBackSeconds", longestFreezeMillis / 1000)
        .result("expected", expected.size())
        .target("missing", 0, missing, missing == 0)
        .target("doubled", 0, doubled, doubled == 0)
        .target("unexpected", 0, unexpected, unexpected == 0)
        .target("expectedAtAll", "> 0", expected.size(), !expected.isEmpty())
        .build();
  }

  private static void pause(long millis) {
    LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
  }
}
