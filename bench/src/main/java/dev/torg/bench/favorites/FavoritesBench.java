package dev.torg.bench.favorites;

import dev.torg.bench.load.LoadResult;
import dev.torg.bench.load.Phases;
import dev.torg.bench.process.Drained;
import dev.torg.bench.process.TemporaryData;
import dev.torg.bench.process.TorgProcess;
import dev.torg.bench.report.Report;
import dev.torg.bench.report.ReportOptions;
import dev.torg.platform.db.Database;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Durable adds and lists of favorites through gRPC, compared with a plain implementation, in one run.
@Command(
    name = "favorites",
    description = "Saving and listing offers through gRPC, compared with a plain implementation.")
public final class FavoritesBench implements Callable<Integer> {
  private static final int BEGIN_WITH = 40;
  private static final Duration IDLE_TIMEOUT = Duration.ofMinutes(5);
  private static final double AT_LEAST = 2;

  /// Both sums are equal once every event has been projected.
  private static final String SAVED = "SELECT sum(offers)::bigint FROM favorite_owner";

  private static final String PROJECTED =
      "SELECT count(*) FROM offer_saver WHERE removed_at IS NULL";

  @Mixin private ReportOptions options;

  @Option(
      names = "--offers",
      defaultValue = "20000",
      description = "offers to save (default 20000)")
  private int offers;

  @Option(names = "--people", defaultValue = "2000", description = "people who save (default 2000)")
  private int users;

  @Option(
      names = "--page",
      defaultValue = "20",
      description = "favorites a list shows (default 20)")
  private int page;

  @Option(
      names = "--warm-seconds",
      defaultValue = "20",
      description = "warm-up of each way (default 20)")
  private int warmSeconds;

  @Override
  public Integer call() throws IOException {
    if (options.quick()) {
      offers = Math.min(offers, 5_000);
      users = Math.min(users, 500);
      warmSeconds = Math.min(warmSeconds, 3);
    }
    try (TemporaryData data = TemporaryData.create("bench-favorites");
        TorgProcess server = TorgProcess.of(FavoritesServer.class, data.path())) {
      return options.finishBench(measure(server));
    }
  }

  private Report measure(TorgProcess server) {
    Phases phases = new Phases(options, Duration.ofSeconds(warmSeconds));
    try (FavoritesClient client = new FavoritesClient(server.address(), users, offers, page)) {
      options.progress("publishing %,d offers, saving %d a person ...", offers, BEGIN_WITH);
      Phases.each(offers, client::publish);
      Phases.each(users, user -> client.begin(user, BEGIN_WITH));
      awaitIdle(server);
      LoadResult adds = phases.full("adds", Phases.CALLERS, client::add);
      awaitIdle(server);
      LoadResult halfAdds = phases.half("adds", adds, client::add);
      awaitIdle(server);
      LoadResult plainAdds = phases.full("plain adds", Phases.PLAIN_CALLERS, client::addPlainly);
      awaitIdle(server);
      LoadResult lists = phases.full("lists", Phases.CALLERS, client::list);
      LoadResult halfLists = phases.half("lists", lists, client::list);
      LoadResult plainLists = phases.full("plain lists", Phases.PLAIN_CALLERS, client::listPlainly);
      boolean agree = IntStream.range(0, Math.min(users, 100)).allMatch(client::agree);
      return report(adds, plainAdds, lists, plainLists, halfAdds, halfLists, agree);
    }
  }

  /// Lets the relay and the projections finish, so that a phase does not pay for the one before it.
  private static void awaitIdle(TorgProcess server) {
    Drained.await(server.running().database(), IDLE_TIMEOUT);
    long deadline = System.nanoTime() + IDLE_TIMEOUT.toNanos();
    try (Database db = Database.connect("jdbc:" + server.running().database(), 1)) {
      while (count(db, SAVED) != count(db, PROJECTED)) {
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException("the projections lagged after " + IDLE_TIMEOUT);
        }
        LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
      }
    }
  }

  private static long count(Database db, String sql) {
    return db.read(tx -> tx.sql(sql).first(row -> row.longAt(1))).orElse(0L);
  }

  private Report report(
      LoadResult adds,
      LoadResult plainAdds,
      LoadResult lists,
      LoadResult plainLists,
      LoadResult halfAdds,
      LoadResult halfLists,
      boolean agree) {
    double addsVsPlain = round(adds.perSecond() / plainAdds.perSecond());
    double listsVsPlain = round(lists.perSecond() / plainLists.perSecond());
    return Report.of("favorites", Instant.now())
        .param("offers", offers)
        .param("offerBytes", 2000)
        .param("people", users)
        .param("favoritesEachAtFirst", BEGIN_WITH)
        .param("page", page)
        .param("callers", Phases.CALLERS)
        .param("plainConnections", 32)
        .param("plainCallers", Phases.PLAIN_CALLERS)
        .param("warmSeconds", warmSeconds)
        .result("addsPerSecond", round(adds.perSecond()))
        .result("addP50Millis", halfAdds.percentileMillis(50))
        .result("addP99Millis", halfAdds.percentileMillis(99))
        .result("addP99MillisAtFullLoad", adds.percentileMillis(99))
        .result("listsPerSecond", round(lists.perSecond()))
        .result("listP50Millis", halfLists.percentileMillis(50))
        .result("listP99Millis", halfLists.percentileMillis(99))
        .result("listP99MillisAtFullLoad", lists.percentileMillis(99))
        .result(
            "failures",
            adds.failures() + lists.failures() + halfAdds.failures() + halfLists.failures())
        .result("bothWaysAgree", agree)
        .baseline("plainAddsPerSecond", round(plainAdds.perSecond()))
        .baseline("plainAddP50Millis", plainAdds.percentileMillis(50))
        .baseline("plainAddP99Millis", plainAdds.percentileMillis(99))
        .baseline("plainListsPerSecond", round(plainLists.perSecond()))
        .baseline("plainListP50Millis", plainLists.percentileMillis(50))
        .baseline("plainListP99Millis", plainLists.percentileMillis(99))
        .baseline("plainFailures", plainAdds.failures() + plainLists.failures())
        .ratio("addsVsPlain", addsVsPlain)
        .ratio("listsVsPlain", listsVsPlain)
        .atLeast("addsVsPlain", AT_LEAST, addsVsPlain)
        .atLeast("listsVsPlain", AT_LEAST, listsVsPlain)
        .target("bothWaysAgree", true, agree, agree)
        .build();
  }

  private static double round(double value) {
    return Math.round(value * 100) / 100.0;
  }
}
