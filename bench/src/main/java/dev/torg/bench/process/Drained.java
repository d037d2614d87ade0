package dev.torg.bench.process;

import dev.torg.platform.db.Database;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// Waits until the outbox is empty: every committed event has been sent to Kafka.
public final class Drained {
  private static final String CHECKPOINT_FAILURES =
      "SELECT nodename || ':' || nodeport || ': ' || result FROM run_command_on_workers('CHECKPOINT') WHERE NOT success";

  private Drained() {}

  public static void await(String database, Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    try (Database db = Database.connect("jdbc:" + database, 4)) {
      while (db.read(tx -> tx.sql("SELECT 1 FROM outbox LIMIT 1").first(row -> true)).isPresent()) {
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException("the outbox was not empty after " + timeout);
        }
        LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
      }
    }
  }

  /// The same, followed by a checkpoint: the state of a database that has run for a while, whose
  /// log files already exist. The user must be a superuser or have the role `pg_checkpoint`.
  public static void awaitAndCheckpoint(String database, Duration timeout) {
    await(database, timeout);
    try (Database db = Database.connect("jdbc:" + database, 1)) {
      db.read(tx -> tx.sql("CHECKPOINT").update());
      if (db.isDistributed()) {
        checkpointWorkers(db);
      }
    }
  }

  private static void checkpointWorkers(Database db) {
    List<String> failures = db.read(tx -> tx.sql(CHECKPOINT_FAILURES).list(row -> row.textAt(1)));
    if (!failures.isEmpty()) {
      throw new IllegalStateException("no checkpoint on workers of Citus: " + failures);
    }
  }
}
