package dev.torg.promotions.provider.sandbox;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.lease.Lease;
import dev.torg.promotions.PaymentId;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Deletes payments of the sandbox, with their refunds, that have not changed for long. They are unknown to it from then
/// on, so they cannot be refunded. Reads all payments of a home, so it is to run rarely. Blocks.
final class PurgeSandboxPaymentsJob {
  static final Duration RETENTION = Duration.ofDays(200);

  private static final int PAGE_SIZE = 1_000;

  private final Database database;
  private final SandboxPaymentStore store = new SandboxPaymentStore();

  PurgeSandboxPaymentsJob(Database database) {
    this.database = database;
  }

  /// Returns whether more may be due.
  boolean run(Lease lease, Instant now) {
    return EachHome.run(
        lease.homes(),
        home ->
            database.inTransaction(
                tx -> {
                  lease.check(tx);
                  return purge(tx, home, now.minus(RETENTION));
                }));
  }

  private boolean purge(Tx tx, Home home, Instant before) throws SQLException {
    List<PaymentId> old = store.lockOld(tx, home, before, PAGE_SIZE);
    store.delete(tx, old);
    return old.size() == PAGE_SIZE;
  }
}
