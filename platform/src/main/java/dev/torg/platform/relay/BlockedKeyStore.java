package dev.torg.platform.relay;

import dev.torg.platform.db.Database;
import dev.torg.platform.db.Row;
import java.sql.SQLException;
import java.util.List;

/// The keys whose events Kafka refuses, with the reasons. A retry is requested here and done within seconds by
/// the process that relays the key's home: what Kafka accepts leaves the table, what it refuses stays with the
/// new reason.
public final class BlockedKeyStore {
  private static final String OLDEST =
      """
      SELECT home, topic, key, reason, attempts, blocked_at, retry_at
      FROM outbox_blocked ORDER BY blocked_at, home, topic, key LIMIT ?
      """;
  private static final String COUNT = "SELECT count(*) FROM outbox_blocked";
  private static final String RETRY_ALL = "UPDATE outbox_blocked SET retry_at = clock_timestamp()";
  private static final String RETRY = RETRY_ALL + " WHERE topic = ?";

  private final Database database;

  public BlockedKeyStore(Database database) {
    this.database = database;
  }

  /// The oldest.
  public List<BlockedKey> list(int atMost) {
    return database.read(tx -> tx.sql(OLDEST).set(atMost).list(BlockedKeyStore::row));
  }

  public long count() {
    return database.read(tx -> tx.sql(COUNT).first(row -> row.longAt(1)).orElse(0L));
  }

  /// Has the keys of a topic tried again; how many those are.
  public int retry(String topic) {
    return database.inTransaction(tx -> tx.sql(RETRY).set(topic).update());
  }

  /// Has all keys tried again; how many those are.
  public int retryAll() {
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
