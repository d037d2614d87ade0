package dev.torg.promotions.apply;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.lease.Lease;
import java.time.Duration;
import java.time.Instant;

/// Deletes rows of entities that have no services and about which nothing has happened for long. Should one be paid for
/// later, its row is inserted again. Reads all rows of a home, so it is to run rarely. Blocks.
public final class PurgePromotionsJob {
  /// Longer than any payment takes.
  static final Duration RETENTION = Duration.ofDays(200);

  private static final int PAGE_SIZE = 5_000;

  private final Database database;
  private final PromotionStore store = new PromotionStore();
  private final EndNoticeStore counts = new EndNoticeStore();

  public PurgePromotionsJob(Database database) {
    this.database = database;
  }

  /// Returns whether more may be due.
  public boolean run(Lease lease, Instant now) {
    return EachHome.run(lease.homes(), home -> run(lease, home, now));
  }

  private boolean run(Lease lease, Home home, Instant now) {
    return database.inTransaction(
        tx -> {
          lease.check(tx);
          int deleted = store.purgeTargets(tx, home, now.minus(RETENTION), PAGE_SIZE);
          counts.deleteBefore(tx, home, EndNoticePlan.hour(now));
          return deleted == PAGE_SIZE;
        });
  }
}
