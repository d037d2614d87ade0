package dev.torg.bench.process;

import dev.torg.platform.db.Database;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// Waits until the outbox is empty: every committed event has been handed to Kafka.
public final class Drained {
  private Drained() {}

  public static void await(String database, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    try (Database db = Database.connect("jdbc:" + database, 4)) {
      while (db.read(tx -> tx.sql("SELECT 1 FROM outbox LIMIT 1").first(row -> true)).isPresent()) {
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException("the outbox was not empty after " + patience);
        }
        LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
      }
    }
  }

  /// The same, and then a checkpoint: the database of a site that has run for a while, whose log files are there already.
  public static void settle(String database, Duration patience) {
    await(database, patience);
    try (Database db = Database.connect("jdbc:" + database, 1)) {
      db.read(tx -> tx.sql("CHECKPOINT").update());
    }
  }
}
