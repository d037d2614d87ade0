package dev.torg.notifications.operation;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.job.Job;
import dev.torg.platform.lease.Lease;
import java.time.Duration;
import java.time.Instant;

/// Deletes attempts that are older than 30 days, and counts of limits that no period contains any more.
public final class PurgeDeliveriesJob implements Job {
  private static final Duration ATTEMPT_RETENTION = Duration.ofDays(30);

  /// A week and the differences of timezones.
  private static final Duration COUNT_RETENTION = Duration.ofDays(9);

  private static final int PAGE_SIZE = 5_000;

  private final Database database;
  private final DeliveryAttemptStore attempts = new DeliveryAttemptStore();
  private final DeliveryCountStore counts = new DeliveryCountStore();

  public PurgeDeliveriesJob(Database database) {
    this.database = database;
  }

  @Override
  public boolean run(Lease lease, Instant now) {
    return EachHome.run(lease.homes(), home -> purge(lease, home, now));
  }

  private boolean purge(Lease lease, Home home, Instant now) {
    int removed =
        database.inTransaction(
            tx -> {
              lease.check(tx);
              counts.purge(tx, home, now.minus(COUNT_RETENTION));
              return attempts.purge(tx, home, now.minus(ATTEMPT_RETENTION), PAGE_SIZE);
            });
    return removed >= PAGE_SIZE;
  }
}
