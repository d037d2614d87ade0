package dev.torg.bench.process;

import dev.torg.platform.db.Database;
import dev.torg.server.run.RunningInstance;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
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
  /// log files already exist. The user of a database that is not embedded must be a superuser or have the role
  /// `pg_checkpoint`.
  public static void awaitAndCheckpoint(TorgProcess process, Duration timeout) {
    RunningInstance running = process.running();
    await(running.database(), timeout);
    checkpoint(
        running.embedded()
            ? SuperuserAddress.of(running, process.data())
            : "jdbc:" + running.database());
    try (Database db = Database.connect("jdbc:" + running.database(), 1)) {
      if (db.isDistributed()) {
        checkpointWorkers(db);
      }
    }
  }

  /// It may take longer than a [Database] waits.
  private static void checkpoint(String address) {
    try (Connection connection = DriverManager.getConnection(address);
        Statement statement = connection.createStatement()) {
      statement.execute("CHECKPOINT");
    } catch (SQLException e) {
      throw new IllegalStateException("no checkpoint: " + e.getMessage(), e);
    }
  }

  private static void checkpointWorkers(Database db) {
    List<String> failures = db.read(tx -> tx.sql(CHECKPOINT_FAILURES).list(row -> row.textAt(1)));
    if (!failures.isEmpty()) {
      throw new IllegalStateException("no checkpoint on workers of Citus: " + failures);
    }
  }
}
