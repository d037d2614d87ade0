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

  private LockWaits() {}

  public static void awaitOne(Database database) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(2))
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> database.read(tx -> tx.sql(WAITING).list(row -> row.longAt(1))).getFirst() > 0);
  }
}
