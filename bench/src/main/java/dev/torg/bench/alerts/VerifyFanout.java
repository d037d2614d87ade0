package dev.torg.bench.alerts;

import dev.torg.bench.alerts.Expected.Alerted;
import dev.torg.bench.alerts.SteadyOffers.Published;
import dev.torg.bench.process.ApiClient;
import dev.torg.bench.process.TemporaryData;
import dev.torg.bench.process.TorgProcess;
import dev.torg.bench.report.Report;
import dev.torg.bench.report.ReportOptions;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// A seller with hundreds of thousands of followers publishes one offer. During its fan-out the process that
/// relays, matches and writes is killed twice, while another process serves calls and embeds PostgreSQL and
/// Kafka; other sellers keep publishing. Afterwards every follower must have been notified exactly once, and
/// ordinary alerts must have arrived within a second, except for those of the outages: from each kill until the
/// next process had caught up. A third seller publishes a catalogue meanwhile, a storm: each of its followers
/// must have been notified of each of its offers once, collapsed or not.
@Command(
    name = "fanout",
    description =
        "Kill -9 twice while an offer goes to 200,000 followers: every follower is notified exactly once, and ordinary alerts"
            + " meanwhile take less than a second.")
public final class VerifyFanout implements Callable<Integer> {
  private static final String STAR = "star";
  private static final String WORKER = "worker";
  private static final String CATALOGUE = "catalogue";
  private static final String CATALOGUE_RECIPIENT = "user:c";
  private static final int CATALOGUE_RECIPIENTS = 300;
  private static final int CATALOGUE_OFFERS = 200;
  private static final Duration BETWEEN_CATALOGUE_OFFERS = Duration.ofMillis(100);
  private static final int QUICK = 30_000;

  /// Smaller audiences get their alerts immediately, without a fan-out that could be killed half-way.
  private static final int MIN_FOLLOWERS = 5_000;

  private static final Duration WARM = Duration.ofSeconds(20);
  private static final Duration TIMEOUT = Duration.ofMinutes(15);

  /// How long ordinary alerts may be in flight when a process is killed.
  private static final Duration IN_FLIGHT = Duration.ofSeconds(2);

  /// The progress of the fan-out, in percent, at which the process is killed.
  private static final int[] KILLS = {25, 60};

  @Mixin private ReportOptions options;

  @Spec private CommandSpec spec;

  @Option(
      names = "--followers",
      defaultValue = "200000",
      description = "of the seller (default 200000; at most 30000 with --quick)")
  private int followers;

  @Option(
      names = "--rounds",
      defaultValue = "1",
      description = "how many times all of it runs, each with a new directory (default 1)")
  private int rounds;

  /// A period in which no process wrote alerts.
  private record Outage(Instant from, Instant until) {
    boolean contains(Instant time) {
      return !time.isBefore(from) && !time.isAfter(until);
    }
  }

  private final List<Outage> outages = new ArrayList<>();
  private int killed;

  @Override
  public Integer call() throws IOException, SQLException {
    followers = options.quick() ? Math.min(followers, QUICK) : followers;
    if (followers < MIN_FOLLOWERS) {
      throw new ParameterException(
          spec.commandLine(), "--followers must be at least " + MIN_FOLLOWERS);
    }
    int exit = 0;
    for (int round = 1; round <= rounds; round++) {
      options.progress("round %d of %d", round, rounds);
      exit = Math.max(exit, round());
    }
    return exit;
  }

  private int round() throws IOException, SQLException {
    outages.clear();
    killed = 0;
    try (TemporaryData data = TemporaryData.create("verify-fanout")) {
      fill(data);
      try (TorgProcess host = ApiHost.start(data.path());
          ApiClient anonymous = new ApiClient(host.address());
          Database database = Database.connect("jdbc:" + host.running().database(), 2)) {
        return options.finishVerify(run(host, anonymous, database));
      }
    }
  }

  private void fill(TemporaryData data) throws IOException, SQLException {
    options.progress("copying %,d followers ...", followers);
    try (TorgProcess host = ApiHost.start(data.path());
        CopyRecipients copy = new CopyRecipients(host.running().database(), Instant.now())) {
      CommitTimestamps.enable(host.running(), data.path());
      List<SteadyOffers.Follow> follows = new ArrayList<>(SteadyOffers.follows());
      for (int i = 0; i < followers; i++) {
        follows.add(new SteadyOffers.Follow(AlertRecipients.recipient(i), "user:" + STAR));
      }
      for (int i = 0; i < CATALOGUE_RECIPIENTS; i++) {
        follows.add(new SteadyOffers.Follow(CATALOGUE_RECIPIENT + i, "user:" + CATALOGUE));
      }
      copy.copy(follows);
    }
  }

  private Report run(TorgProcess host, ApiClient anonymous, Database database) {
    TorgProcess worker = ApiHost.worker(host, WORKER);
    try (SteadyOffers ordinary = new SteadyOffers(anonymous)) {
      ordinary.start();
      LockSupport.parkNanos(options.phase(WARM).toNanos());
      Instant startedAt = Instant.now();
      OfferId offer = OfferId.parse(anonymous.loggedInAs(STAR).publish("What many wait for"));
      CompletableFuture<List<Long>> catalogue =
          CompletableFuture.supplyAsync(() -> publishCatalogue(anonymous));
      for (int percent : KILLS) {
        if (isInProgress(database, offer, percent)) {
          worker = killAndStartAgain(worker, host, database, ordinary);
        }
      }
      await("the fan-out", () -> isFinished(database, offer));
      Duration elapsed = Duration.between(startedAt, Instant.now());
      List<Published> background = publishedMeanwhile(ordinary, startedAt);
      ordinary.close();
      catalogue.join();
      AlertBacklog.await(host, TIMEOUT);
      return report(host, offer, ordinary, background, elapsed, catalogue.join());
    } finally {
      worker.kill();
    }
  }

  private static List<Long> publishCatalogue(ApiClient anonymous) {
    ApiClient seller = anonymous.loggedInAs(CATALOGUE);
    List<Long> published = new ArrayList<>();
    for (int i = 0; i < CATALOGUE_OFFERS; i++) {
      published.add(OfferId.parse(seller.publish("Number " + i)).number());
      LockSupport.parkNanos(BETWEEN_CATALOGUE_OFFERS.toNanos());
    }
    return published;
  }

  /// Whether the fan-out has reached this percentage and is not finished.
  private boolean isInProgress(Database database, OfferId offer, int percent) {
    await(
        percent + " % of the fan-out",
        () -> recipients(database, offer) * 100 >= (long) percent * followers);
    return !isFinished(database, offer);
  }

  private TorgProcess killAndStartAgain(
      TorgProcess worker, TorgProcess host, Database database, SteadyOffers ordinary) {
    Instant from = Instant.now().minus(IN_FLIGHT);
    worker.kill();
    killed++;
    TorgProcess next = ApiHost.worker(host, WORKER);
    int soFar = ordinary.published().size();
    await("the next offer", () -> ordinary.published().size() > soFar);
    Set<Alerted> expected = ordinary.expected();
    await("all ordinary alerts", () -> areNotified(database, expected));
    Instant until = Instant.now();
    outages.add(new Outage(from, until));
    options.progress(
        "killed; ordinary alerts had caught up after %.1f s",
        Duration.between(from, until).toMillis() / 1000.0);
    return next;
  }

  private static boolean areNotified(Database database, Set<Alerted> expected) {
    List<Alerted> all = List.copyOf(expected);
    return database.read(
        tx ->
            tx.sql(
                        """
                        SELECT count(*)
                          FROM unnest(?::int[], ?::text[], ?::bigint[]) AS k (home, owner, offer_id)
                          JOIN told t ON t.home = k.home AND t.owner = k.owner
                                    AND t.offer_id = k.offer_id
                        """)
                    .homes(all, alert -> Home.of(alert.recipient()))
                    .texts(all, Alerted::recipient)
                    .longs(all, Alerted::offer)
                    .first(row -> row.longAt(1))
                    .orElse(0L)
                >= all.size());
  }

  private static long recipients(Database database, OfferId offer) {
    return database.read(
        tx ->
            tx.sql("SELECT people FROM fanout WHERE home = ? AND offer_id = ?")
                .set(offer.home())
                .set(offer.number())
                .first(row -> row.longAt(1))
                .orElse(0L));
  }

  private static boolean isFinished(Database database, OfferId offer) {
    return database.read(
        tx ->
            tx.sql(
                    """
                    SELECT 1 FROM fanout
                     WHERE home = ? AND offer_id = ? AND finished_at IS NOT NULL
                    """)
                .set(offer.home())
                .set(offer.number())
                .first(row -> true)
                .orElse(false));
  }

  private static void await(String description, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(description + " did not complete within " + TIMEOUT);
      }
      LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
    }
  }

  /// The ordinary offers published during the fan-out while a process wrote alerts.
  private List<Published> publishedMeanwhile(SteadyOffers ordinary, Instant startedAt) {
    return ordinary.published().stream()
        .filter(offer -> offer.at().isAfter(startedAt))
        .filter(offer -> outages.stream().noneMatch(outage -> outage.contains(offer.at())))
        .toList();
  }

  private Report report(
      TorgProcess host,
      OfferId offer,
      SteadyOffers ordinary,
      List<Published> background,
      Duration elapsed,
      List<Long> catalogue) {
    Set<Alerted> expected = new HashSet<>(ordinary.expected());
    for (int i = 0; i < followers; i++) {
      expected.add(new Alerted(AlertRecipients.recipient(i), offer.number()));
    }
    for (int i = 0; i < CATALOGUE_RECIPIENTS; i++) {
      String recipient = CATALOGUE_RECIPIENT + i;
      catalogue.forEach(number -> expected.add(new Alerted(recipient, number)));
    }
    Delivered delivered = Delivered.read(host.running().database());
    long missing = delivered.missing(expected);
    long doubled = delivered.doubled();
    long unexpected = delivered.unexpected(expected);
    if (missing > 0) {
      options.progress("missing, such as %s", delivered.someMissing(expected));
    }
    Histogram latency = delivered.latencyOf(background.stream().map(Published::id).toList());
    return Report.of("verify-fanout", Instant.now())
        .param("followers", followers)
        .param("ordinaryOffersPerSecond", SteadyOffers.PER_SECOND)
        .result("kills", killed)
        .result("expected", expected.size())
        .result("fanoutSeconds", elapsed.toSeconds())
        .result("collapsed", delivered.collapsed())
        .result("ordinaryOffers", ordinary.published().size())
        .result("ordinaryOffersBeside", background.size())
        .result("p50Millis", latency.getValueAtPercentile(50))
        .result("p99Millis", latency.getValueAtPercentile(99))
        .result("maxMillis", latency.getMaxValue())
        .target("kills", KILLS.length, killed, killed == KILLS.length)
        .target("missing", 0, missing, missing == 0)
        .target("doubled", 0, doubled, doubled == 0)
        .target("unexpected", 0, unexpected, unexpected == 0)
        .target("ordinaryOffersBeside", "> 0", background.size(), !background.isEmpty())
        .atMost("p99Millis", 1_000, latency.getValueAtPercentile(99))
        .build();
  }
}
