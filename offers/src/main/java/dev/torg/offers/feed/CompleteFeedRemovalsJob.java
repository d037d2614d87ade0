package dev.torg.offers.feed;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.job.Job;
import dev.torg.platform.lease.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Completes interrupted removals of feeds. Each page is idempotent, so a concurrent run by a former holder
/// of the lease is safe.
public final class CompleteFeedRemovalsJob implements Job {
  /// Longer than a page of a removal in progress takes.
  private static final Duration STALLED = Duration.ofSeconds(15);

  private static final int PAGE_SIZE = 1_000;

  private final Database database;
  private final FinishFeed finish;
  private final FeedTaskStore tasks = new FeedTaskStore();

  public CompleteFeedRemovalsJob(Database database, FinishFeed finish) {
    this.database = database;
    this.finish = finish;
  }

  /// The homes with interrupted removals.
  public List<Home> due(List<Home> homes, Instant now) {
    return database.read(tx -> tasks.homesStalled(tx, homes, now.minus(STALLED)));
  }

  @Override
  public boolean run(Lease lease, Instant now) {
    return run(lease.homes(), now);
  }

  boolean run(List<Home> homes, Instant now) {
    return EachHome.run(
        homes,
        home -> {
          List<StoredFeedTask.Key> stalled =
              database.read(tx -> tasks.stalled(tx, home, now.minus(STALLED), PAGE_SIZE));
          stalled.forEach(finish::remove);
          return stalled.size() == PAGE_SIZE;
        });
  }
}
