package dev.torg.bench.crash;

import dev.torg.bench.process.ApiClient;
import dev.torg.bench.process.Drained;
import dev.torg.bench.process.ExternalDatabase;
import dev.torg.bench.process.TemporaryData;
import dev.torg.bench.process.TorgProcess;
import dev.torg.bench.report.Report;
import dev.torg.bench.report.ReportOptions;
import dev.torg.offers.OfferTopics;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Kills Torg during a stream of writes, some rounds, and checks what survived. Rounds alternate: the JVM
/// alone, so that PostgreSQL shuts down in order while Kafka does not; then the JVM and every PostgreSQL
/// process together. With a given database every round kills the JVM alone, which includes Kafka.
@Command(
    name = "crash",
    description =
        "Kill -9 during writes, some rounds, the JVM alone and with PostgreSQL in turns: every acknowledged write and"
            + " its event are there, in order, counts exact, and nothing failed before a kill. With --db only Torg's"
            + " own process is killed.")
public final class VerifyCrash implements Callable<Integer> {
  private static final List<String> ARGUMENTS =
      List.of("--rate-limit", "1000000", "--log-level", "warn");
  private static final Duration DRAIN = Duration.ofSeconds(60);

  @Mixin private ReportOptions options;

  @Mixin private ExternalDatabase externalDatabase;

  @Option(
      names = "--rounds",
      defaultValue = "6",
      description = "how many kills (default 6; 2 with --quick)")
  private int rounds;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "of the writers and the moments of the kills")
  private long seed;

  private final WriteLedger ledger = new WriteLedger();
  private int killsWithPostgres;

  @Override
  public Integer call() throws IOException, InterruptedException {
    int kills = options.quick() ? Math.min(rounds, 2) : rounds;
    Optional<String> database = externalDatabase.requireEmpty();
    try (TemporaryData data = TemporaryData.create("verify-crash")) {
      SplittableRandom random = new SplittableRandom(seed);
      for (int round = 1; round <= kills; round++) {
        long length = options.phase(Duration.ofSeconds(4)).toMillis() / 2 + random.nextInt(2000);
        boolean all = round % 2 == 0 && database.isEmpty();
        writeAndKill(start(data, database), random.nextLong(), Duration.ofMillis(length), all);
        killsWithPostgres += all ? 1 : 0;
        options.progress(
            "round %d of %d: %,d writes acknowledged so far", round, kills, ledger.size());
      }
      try (TorgProcess torg = start(data, database)) {
        return options.finishVerify(check(torg, kills));
      }
    }
  }

  private static TorgProcess start(TemporaryData data, Optional<String> database) {
    return database.isPresent()
        ? TorgProcess.of(FullServer.class, data.path(), database)
        : TorgProcess.up(data.path(), ARGUMENTS);
  }

  private void writeAndKill(TorgProcess torg, long roundSeed, Duration length, boolean all)
      throws InterruptedException {
    try (ApiClient anonymous = new ApiClient(torg.address())) {
      Writers writers = Writers.start(anonymous, ledger, roundSeed);
      LockSupport.parkNanos(length.toNanos());
      writers.expectTheEnd();
      if (all) {
        torg.killAll();
      } else {
        torg.kill();
      }
      writers.awaitEnd();
    }
  }

  private Report check(TorgProcess torg, int kills) {
    Drained.await(torg.running().database(), DRAIN);
    TopicReading topic = TopicReading.of(torg.kafka(), OfferTopics.OFFERS);
    Survivors survivors = new Survivors(ledger);
    try (ApiClient anonymous = new ApiClient(torg.address())) {
      long lost = survivors.lostOrOld(anonymous);
      long missing = survivors.missingEvents(topic);
      long wrongCounts = survivors.wrongCounts(anonymous);
      return Report.of("verify-crash", Instant.now())
          .param("kills", kills)
          .param("killsWithPostgres", killsWithPostgres)
          .param("sellers", Writers.sellers())
          .param("seed", seed)
          .param("database", torg.describedDatabase())
          .result("acknowledgedWrites", ledger.size())
          .result("offers", ledger.offers().size())
          .result("eventsSeenTwice", topic.repeats())
          .result("failuresWhileAlive", ledger.reasons())
          .target("offersLostOrOld", 0, lost, lost == 0)
          .target("eventsMissing", 0, missing, missing == 0)
          .target("eventsOutOfOrder", 0, topic.outOfOrder(), topic.outOfOrder() == 0)
          .target("sellersWithWrongCounts", 0, wrongCounts, wrongCounts == 0)
          .target("writesFailedWhileAlive", 0, ledger.failures(), ledger.failures() == 0)
          .target("writesAcknowledged", "> 0", ledger.size(), ledger.size() > 0)
          .build();
    }
  }
}
