package dev.torg.alerts.delivery;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.lease.Lease;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/// Deletes the storms that recipients were notified of once they are not needed: offers older than
/// [AlertEligibility#MAX_OFFER_AGE][dev.torg.alerts.eligibility.AlertEligibility] cause no alerts.
/// Blocks.
public final class PurgeStormNotifiedJob {
  private static final int RETENTION_DAYS = 183;
  private static final int PAGE_SIZE = 5_000;

  private final Database database;
  private final StormNotifiedStore store = new StormNotifiedStore();

  public PurgeStormNotifiedJob(Database database) {
    this.database = database;
  }

  /// Returns whether more may be due.
  public boolean run(Lease lease, Instant now) {
    LocalDate before = LocalDate.ofInstant(now, ZoneOffset.UTC).minusDays(RETENTION_DAYS);
    return EachHome.run(lease.homes(), home -> sweep(lease, home, before));
  }

  private boolean sweep(Lease lease, Home home, LocalDate before) {
    int removed =
        database.inTransaction(
            tx -> {
              lease.check(tx);
              return store.sweep(tx, home, before, PAGE_SIZE);
            });
    return removed == PAGE_SIZE;
  }
}
