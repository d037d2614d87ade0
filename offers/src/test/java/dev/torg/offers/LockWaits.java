package dev.torg.offers;

import static org.awaitility.Awaitility.await;

import dev.torg.platform.db.Database;
import java.time.Duration;

/// Detects sessions that wait for a lock.
public final class LockWaits {
  private static final String WAITING =
      """
      SELECT count(*) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'
      """;

  private static final String IS_CLUSTER = "SELECT to_regclass('citus_stat_activity') IS NOT NULL";

  /// The sessions of all nodes: rows of distributed tables are locked on the workers.
  private static final String WAITING_IN_CLUSTER =
      WAITING.replace("pg_stat_activity", "citus_stat_activity");

  private LockWaits() {}

  public static void awaitOne(Database database) {
    String waiting = isCluster(database) ? WAITING_IN_CLUSTER : WAITING;
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(2))
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> database.read(tx -> tx.sql(waiting).list(row -> row.longAt(1))).getFirst() > 0);
  }

  private static boolean isCluster(Database database) {
    return database.read(tx -> tx.sql(IS_CLUSTER).list(row -> row.booleanAt(1))).getFirst();
  }
}
