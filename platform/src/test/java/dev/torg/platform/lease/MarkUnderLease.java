package dev.torg.platform.lease;

import dev.torg.platform.db.Database;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/// A process that writes a mark to the database for every step under a lease. Some time passes
/// between deciding on a step and writing it, so that a suspended process is suspended there. A
/// line on its output reports when it is inside a transaction, and when it was refused.
final class MarkUnderLease {
  static final String WORK = "marking";
  private static final String MARK =
      "INSERT INTO mark (owner, homes_group, epoch, at) VALUES (?, ?, ?, clock_timestamp())";

  private MarkUnderLease() {}

  public static void main(String[] args) throws InterruptedException {
    String owner = args[1];
    long insideNanos = Duration.ofMillis(Long.parseLong(args[2])).toNanos();
    try (Database database = Database.connect(args[0], 20);
        LeaseCoordinator leases = new LeaseCoordinator(database, owner)) {
      leases.work(WORK, lease -> () -> mark(database, lease, owner, insideNanos));
      new CountDownLatch(1).await();
    }
  }

  private static Duration mark(Database database, Lease lease, String owner, long insideNanos) {
    LockSupport.parkNanos(Duration.ofMillis(150).toNanos());
    try {
      return database.inTransaction(
          tx -> {
            lease.check(tx);
            tx.sql(MARK).set(owner).set(lease.group()).set(lease.epoch()).update();
            if (insideNanos > 0) {
              System.out.println("INSIDE");
              LockSupport.parkNanos(insideNanos);
            }
            return Duration.ZERO;
          });
    } catch (LeaseLost e) {
      System.out.println("REFUSED " + lease.group());
      throw e;
    }
  }
}
