package dev.torg.notifications.contacts;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.job.Job;
import dev.torg.platform.lease.Lease;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/// Deletes counts of codes that no quota needs any more.
public final class PurgeCodeQuotasJob implements Job {
  private static final int PAGE_SIZE = 1_000;

  private final Database database;
  private final CodeQuotaStore quotas = new CodeQuotaStore();

  public PurgeCodeQuotasJob(Database database) {
    this.database = database;
  }

  public Collection<Home> due(List<Home> homes, Instant now) {
    return database.read(tx -> quotas.homesDue(tx, homes, before(now)));
  }

  @Override
  public boolean run(Lease lease, Instant now) {
    return EachHome.run(
        lease.homes(),
        home ->
            database.inTransaction(
                tx -> {
                  lease.check(tx);
                  return quotas.purge(tx, home, before(now), PAGE_SIZE) == PAGE_SIZE;
                }));
  }

  private static Instant before(Instant now) {
    return now.minus(SentCodes.PERIOD);
  }
}
