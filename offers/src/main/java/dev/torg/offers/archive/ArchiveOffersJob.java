package dev.torg.offers.archive;

import dev.torg.api.v1.Offer.Status;
import dev.torg.offers.store.ArchiveStore;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.job.Job;
import dev.torg.platform.lease.Lease;
import java.time.Instant;

/// Moves the bodies of offers that were removed or expired some time ago to the archive.
public final class ArchiveOffersJob implements Job {
  private static final int PAGE_SIZE = 500;
  private static final int[] ARCHIVABLE_STATUSES = {Status.EXPIRED_VALUE, Status.REMOVED_VALUE};

  private final Database database;
  private final ArchiveStore archive = new ArchiveStore();

  public ArchiveOffersJob(Database database) {
    this.database = database;
  }

  @Override
  public boolean run(Lease lease, Instant now) {
    return hasPartition(now)
        && EachHome.run(lease.homes(), home -> run(lease, home, now) == PAGE_SIZE);
  }

  private int run(Lease lease, Home home, Instant now) {
    return database.inTransaction(
        tx -> {
          lease.check(tx);
          return archive.archiveDue(tx, home, now, ARCHIVABLE_STATUSES, PAGE_SIZE);
        });
  }

  /// Archives the due offers of one home, without a lease.
  int run(Home home, Instant now) {
    return hasPartition(now)
        ? database.inTransaction(
            tx -> archive.archiveDue(tx, home, now, ARCHIVABLE_STATUSES, PAGE_SIZE))
        : 0;
  }

  /// False while another process creates the partition of the month: the next run archives.
  private boolean hasPartition(Instant now) {
    return database.inTransaction(tx -> archive.ensurePartition(tx, now));
  }
}
