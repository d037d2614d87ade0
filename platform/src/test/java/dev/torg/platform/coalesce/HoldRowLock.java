package dev.torg.platform.coalesce;

import dev.torg.platform.db.Database;
import java.util.concurrent.locks.LockSupport;

/// A process that locks the row of an account and stays inside its transaction. A line on its output reports
/// that it holds the lock.
final class HoldRowLock {
  static final String LOCKED = "LOCKED";

  private HoldRowLock() {}

  public static void main(String[] args) {
    try (Database database = Database.connect(args[0], 2)) {
      database.inTransaction(
          tx -> {
            tx.sql("UPDATE account SET total = total WHERE home = ? AND name = ?")
                .set(PaymentHandler.homeOf(args[1]))
                .set(args[1])
                .update();
            System.out.println(LOCKED);
            while (true) {
              LockSupport.park();
            }
          });
    }
  }
}
