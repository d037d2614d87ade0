package dev.torg.bench.feed;

import dev.torg.bench.alerts.CopyRecipients;
import dev.torg.bench.process.ApiClient;
import dev.torg.bench.process.TorgProcess;
import dev.torg.bench.report.ReportOptions;
import dev.torg.platform.db.Database;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/// The catalogue of a seller with thousands of followers, then half of it at another price, while
/// an offer of another seller goes to another large audience. The same offer alone, published
/// before, is the reference.
final class StormPhase {
  private static final String SELLER = "feed-storm";
  private static final String FOLLOWER = "user:storm-follower-";
  private static final Duration LEAD = Duration.ofSeconds(2);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

  /// Longer than the pause between two walks of a storm.
  private static final Duration QUIET = Duration.ofSeconds(15);

  private static final Duration STALLED = Duration.ofMinutes(2);
  private static final int HALF = 2;

  /// The number of offers in the followers' bells and digests.
  private static final String SELECT_DELIVERED =
      """
      SELECT (SELECT coalesce(sum(size), 0) FROM notification WHERE owner LIKE ?)
           + (SELECT coalesce(sum(offers), 0) FROM digest WHERE owner LIKE ?)
      """;

  private final ReportOptions options;
  private final TorgProcess server;
  private final Sizes sizes;

  /// The sizes of the phase.
  record Sizes(int items, int followers, int otherFollowers) {
    long alerts() {
      return (long) items * followers;
    }
  }

  /// The measurements: the other audience alone and during the storm, and how long after the upload every
  /// follower had been notified of everything.
  record Outcome(
      double baselineSeconds,
      double alongsideSeconds,
      double deliveredSeconds,
      long delivered,
      Histogram othersAlerts) {
    /// The time without the quiet period at the end.
    double deliveryAfterWrite() {
      return Math.max(0, deliveredSeconds - QUIET.toSeconds());
    }

    double ratio() {
      return alongsideSeconds / baselineSeconds;
    }
  }

  StormPhase(ReportOptions options, TorgProcess server, Sizes sizes) {
    this.options = options;
    this.server = server;
    this.sizes = sizes;
  }

  /// Loads the followers before anything is measured, as if they had followed for a month.
  void prepare() throws SQLException, IOException {
    try (CopyRecipients copy = new CopyRecipients(server.running().database(), Instant.now())) {
      copy.copyFollowers(FOLLOWER, sizes.followers(), "user:" + SELLER);
      copy.copyFollowers(
          "user:star-follower-", sizes.otherFollowers(), "user:" + LargeAudience.SELLER);
    }
  }

  /// @param upload uploads the items under a name as the given seller
  Outcome run(ApiClient anonymous, OtherAlerts alerts, Upload upload) {
    try (Database database = Database.connect("jdbc:" + server.running().database(), 2)) {
      LargeAudience other = new LargeAudience(anonymous, database, sizes.otherFollowers());
      other.seconds();
      double baseline = other.seconds();
      options.progress("the other audience alone: %.1f s", baseline);
      alerts.reset();
      ApiClient seller = anonymous.loggedInAs(SELLER);
      double create =
          runAlongside(
              other, () -> upload.run(seller, "storm", new FeedItems(sizes.items(), 1, 0, 0)));
      double reprice =
          runAlongside(
              other, () -> upload.run(seller, "reprice", new FeedItems(sizes.items(), 2, HALF, 0)));
      options.progress(
          "the other audience during the storm: %.1f s, during its new prices: %.1f s",
          create, reprice);
      Histogram others = alerts.result();
      long end = System.nanoTime();
      long delivered = awaitDelivered(database);
      return new Outcome(
          baseline, Math.max(create, reprice), (System.nanoTime() - end) / 1e9, delivered, others);
    }
  }

  interface Upload {
    void run(ApiClient seller, String name, FeedItems items);
  }

  /// How long the other audience took whose offer was published shortly after the work began.
  private static double runAlongside(LargeAudience other, Runnable work) {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Double> seconds =
          threads.submit(
              () -> {
                LockSupport.parkNanos(LEAD.toNanos());
                return other.seconds();
              });
      work.run();
      return seconds.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the other audience was not notified", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /// Other alerts continue meanwhile, so it waits for the followers' own: every alert, and no more of them for
  /// a while.
  private long awaitDelivered(Database database) {
    long delivered = deliveredCount(database);
    long changed = System.nanoTime();
    while (System.nanoTime() - changed < (delivered < sizes.alerts() ? STALLED : QUIET).toNanos()) {
      LockSupport.parkNanos(POLL_INTERVAL.toNanos());
      long now = deliveredCount(database);
      changed = now == delivered ? changed : System.nanoTime();
      delivered = now;
    }
    return delivered;
  }

  private static long deliveredCount(Database database) {
    return database.read(
        tx ->
            tx.sql(SELECT_DELIVERED)
                .set(FOLLOWER + "%")
                .set(FOLLOWER + "%")
                .first(row -> row.longAt(1))
                .orElse(0L));
  }
}
