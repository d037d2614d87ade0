package dev.torg.promotions.apply;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.lease.Lease;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/// Ends services whose time has come, oldest first, a page of a home at a time. The rows of the queue are read under the
/// lease, so no other process works on them, and deleted in the transaction that ends the services. Blocks.
public final class ExpirePromotionsJob {
  private static final int PAGE_SIZE = 1_000;

  private final Database database;
  private final PromotionWriter writer;
  private final PromotionStore store = new PromotionStore();

  public ExpirePromotionsJob(Database database, PromotionWriter writer) {
    this.database = database;
    this.writer = writer;
  }

  /// Homes with something due.
  public List<Home> due(List<Home> homes, Instant now) {
    return database.read(tx -> store.homesDue(tx, homes, now));
  }

  /// Returns whether more may be due.
  public boolean run(Lease lease, Instant now) {
    return EachHome.run(due(lease.homes(), now), home -> run(lease, home, now));
  }

  /// As precise as what is stored: the database rounds a time to microseconds, and a row that it considers due must not
  /// be deleted while its service is active for another fraction of a microsecond.
  private boolean run(Lease lease, Home home, Instant time) {
    Instant now = time.truncatedTo(ChronoUnit.MICROS);
    return database.inTransaction(
        tx -> {
          lease.check(tx);
          List<PromotionStore.Expiry> page = store.due(tx, home, now, PAGE_SIZE);
          if (!page.isEmpty()) {
            writer.expire(tx, page, now);
          }
          return page.size() == PAGE_SIZE;
        });
  }
}
