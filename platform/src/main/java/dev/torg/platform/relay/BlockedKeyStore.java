package dev.torg.platform.relay;

import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.EachShard;
import dev.torg.platform.db.Row;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
  private static final BatchSql<Home> RETRY =
      BatchColumns.<Home>of(home -> home)
          .sql(
              """
              UPDATE outbox_blocked b SET retry_at = now()
              WHERE (?::text IS NULL OR b.topic = ?::text) AND :shard(b)
              """);

  private final Database database;

  public BlockedKeyStore(Database database) {
    this.database = database;
  }

  /// The oldest blocked keys.
  public List<BlockedKey> list(int limit) {
    return database.read(tx -> tx.sql(OLDEST).set(limit).list(BlockedKeyStore::row));
  }

  public long count() {
    return database.read(tx -> tx.sql(COUNT).first(row -> row.longAt(1)).orElse(0L));
  }

  /// Requests a retry of the keys of a topic; returns their number.
  public int retry(String topic) {
    return requestRetry(topic);
  }

  /// Requests a retry of all keys; returns their number.
  public int retryAll() {
    return requestRetry(null);
  }

  private int requestRetry(@Nullable String topic) {
    return EachShard.map(
            database.shards().split(Home.all(), home -> home),
            homes ->
                database.inTransaction(tx -> tx.sql(RETRY, homes).set(topic).set(topic).update()))
        .stream()
        .mapToInt(Integer::intValue)
        .sum();
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
