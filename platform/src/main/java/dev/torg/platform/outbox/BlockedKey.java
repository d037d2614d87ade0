package dev.torg.platform.outbox;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Row;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/// A key whose events Kafka refuses: they wait in the outbox, in order, and are tried again at
/// growing intervals.
public record BlockedKey(
    Home home,
    String topic,
    String key,
    String reason,
    int attempts,
    Instant blockedAt,
    Instant retryAt) {

  private static final String ALL =
      """
      SELECT home, topic, key, reason, attempts, blocked_at, retry_at
      FROM outbox_blocked ORDER BY blocked_at, home, topic, key
      """;
  private static final String RETRY_ALL = "UPDATE outbox_blocked SET retry_at = now()";

  static List<BlockedKey> all(Database database) {
    return database.read(tx -> tx.sql(ALL).list(BlockedKey::row));
  }

  static int retryAll(Database database) {
    return database.inTransaction(tx -> tx.sql(RETRY_ALL).update());
  }

  private static BlockedKey row(Row row) throws SQLException {
    return new BlockedKey(
        row.homeAt(1),
        row.textAt(2),
        row.textAt(3),
        row.textAt(4),
        row.intAt(5),
        row.instantAt(6),
        row.instantAt(7));
  }
}
