package dev.torg.offers.feed;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.lease.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// What happens to feeds without anybody asking: removals that were cut off are completed, and what
/// nobody can need any more is forgotten.
public final class FeedJobs {
  /// Longer than a page of a removal that is still under way.
  private static final Duration STALLED = Duration.ofSeconds(15);

  /// How long tasks and failures can be looked at.
  private static final Duration HISTORY_RETENTION = Duration.ofDays(90);

  private static final int PAGE_SIZE = 1_000;

  private final Database database;
  private final FinishFeed finish;
  private final FeedTaskStore tasks = new FeedTaskStore();
  private final FeedItemStore items = new FeedItemStore();
  private final FeedErrorStore errors = new FeedErrorStore();

  FeedJobs(Database database, FinishFeed finish) {
    this.database = database;
    this.finish = finish;
  }

  /// Where a removal was cut off.
  public List<Home> stalled(List<Home> homes, Instant now) {
    return database.read(tx -> tasks.homesStalled(tx, homes, now.minus(STALLED)));
  }

  /// Each page is safe to run twice, so another holder of the lease does no harm.
  public boolean completeRemovals(Lease lease, Instant now) {
    return completeRemovals(lease.homes(), now);
  }

  boolean completeRemovals(List<Home> homes, Instant now) {
    return EachHome.run(
        homes,
        home -> {
          List<StoredFeedTask.Key> stalled =
              database.read(tx -> tasks.stalled(tx, home, now.minus(STALLED), PAGE_SIZE));
          stalled.forEach(finish::remove);
          return stalled.size() == PAGE_SIZE;
        });
  }

  public boolean purgeHistory(Lease lease, Instant now) {
    return EachHome.run(lease.homes(), home -> purgeHistory(lease, home, now));
  }

  private boolean purgeHistory(Lease lease, Home home, Instant now) {
    return database.inTransaction(
        tx -> {
          lease.check(tx);
          tasks.deleteOld(tx, home, now.minus(HISTORY_RETENTION));
          errors.deleteOld(tx, home, now.minus(HISTORY_RETENTION));
          return items.deleteOld(tx, home, now.minus(FeedItemAction.RESTORE_WINDOW), PAGE_SIZE)
              == PAGE_SIZE;
        });
  }
}
