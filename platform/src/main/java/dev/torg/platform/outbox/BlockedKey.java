package dev.torg.platform.outbox;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
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
    return database.read(BlockedKey::all);
  }

  static int retryAll(Database database) {
    return database.inTransaction(
        tx -> {
          try (PreparedStatement statement = tx.prepare(RETRY_ALL)) {
            return statement.executeUpdate();
          }
        });
  }

  private static List<BlockedKey> all(Tx tx) throws SQLException {
    List<BlockedKey> keys = new ArrayList<>();
    try (PreparedStatement statement = tx.prepare(ALL);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        keys.add(row(rows));
      }
    }
    return keys;
  }

  private static BlockedKey row(ResultSet rows) throws SQLException {
    return new BlockedKey(
        new Home(rows.getInt(1)),
        rows.getString(2),
        rows.getString(3),
        rows.getString(4),
        rows.getInt(5),
        rows.getObject(6, OffsetDateTime.class).toInstant(),
        rows.getObject(7, OffsetDateTime.class).toInstant());
  }
}
