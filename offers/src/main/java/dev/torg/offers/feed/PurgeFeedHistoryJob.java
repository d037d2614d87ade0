package dev.torg.offers.feed;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.job.Job;
import dev.torg.platform.lease.Lease;
import java.time.Duration;
import java.time.Instant;

/// Deletes old tasks and errors, and the items of offers that can no longer be restored.
public final class PurgeFeedHistoryJob implements Job {
  /// How long tasks and errors are retained.
  private static final Duration HISTORY_RETENTION = Duration.ofDays(90);

  private static final int PAGE_SIZE = 1_000;

  private final Database database;
  private final FeedTaskStore tasks = new FeedTaskStore();
  private final FeedItemStore items = new FeedItemStore();
  private final FeedErrorStore errors = new FeedErrorStore();

  public PurgeFeedHistoryJob(Database database) {
    this.database = database;
  }

  @Override
  public boolean run(Lease lease, Instant now) {
    return EachHome.run(lease.homes(), home -> run(lease, home, now));
  }

  private boolean run(Lease lease, Home home, Instant now) {
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
