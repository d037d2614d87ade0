package dev.torg.platform.idempotency;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.Job;
import dev.torg.platform.lease.Lease;
import java.time.Instant;

/// Deletes expired idempotency keys.
public final class PurgeIdempotencyKeysJob implements Job {
  /// A short transaction, well below a second.
  private static final int PAGE_SIZE = 10_000;

  private final Database database;
  private final IdempotencyStore keys = new IdempotencyStore();

  public PurgeIdempotencyKeysJob(Database database) {
    this.database = database;
  }

  @Override
  public boolean run(Lease lease, Instant now) {
    boolean more = false;
    for (Home home : lease.homes()) {
      more |= purge(lease, home, now) == PAGE_SIZE;
    }
    return more;
  }

  private int purge(Lease lease, Home home, Instant now) {
    return database.inTransaction(
        tx -> {
          lease.check(tx);
          return keys.purge(tx, home, now, PAGE_SIZE);
        });
  }
}
