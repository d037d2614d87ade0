package dev.torg.notifications.sending;

import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// SQL over notifications that wait for their time. A transaction that writes such a notification to the bell deletes
/// its row first, and writes only what it deleted.
final class ScheduledNotificationStore {
  private static final BatchSql<ReceivedNotification> ADD =
      BatchColumns.of(ReceivedNotification::home)
          .texts("owner", ReceivedNotification::recipient)
          .texts("key", ReceivedNotification::key)
          .instants("send_at", ReceivedNotification::sendAt)
          .bytes("body", one -> one.message().toByteArray())
          .sql(
              """
              INSERT INTO scheduled_notification (home, owner, key, send_at, body)
              SELECT k.home, k.owner, k.key, k.send_at, k.body FROM :rows(k)
               ORDER BY k.home, k.owner, k.key
              ON CONFLICT (home, owner, key) DO NOTHING
              """);

  private static final String DUE =
      """
      SELECT owner, key, body FROM scheduled_notification
       WHERE home = ? AND send_at <= ? ORDER BY send_at LIMIT ?
      """;

  /// One index lookup per home, however many rows are due there.
  private static final BatchSql<Home> HOMES_DUE =
      BatchColumns.<Home>of(home -> home)
          .sql(
              """
              SELECT k.home FROM :rows(k)
               WHERE EXISTS (SELECT FROM scheduled_notification s
                              WHERE s.home = k.home AND s.send_at <= ? AND :shard(s))
              """);

  private static final BatchSql<Due> REMOVE =
      BatchColumns.of(Due::home)
          .texts("owner", Due::owner)
          .texts("key", Due::key)
          .sql(
              """
              DELETE FROM scheduled_notification s USING :batch(k)
               WHERE s.home = k.home AND s.owner = k.owner AND s.key = k.key AND :shard(s)
              RETURNING s.owner, s.key
              """);

  /// A row whose time has come.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Due(String owner, String key, byte[] body) {
    Home home() {
      return Home.of(owner);
    }
  }

  void add(Tx tx, List<ReceivedNotification> notifications) throws SQLException {
    tx.sql(ADD, notifications).update();
  }

  List<Home> homesDue(Tx tx, List<Home> homes, Instant now) throws SQLException {
    return tx.sql(HOMES_DUE, homes).set(now).list(row -> row.homeAt(1));
  }

  List<Due> due(Tx tx, Home home, Instant now, int limit) throws SQLException {
    return tx.sql(DUE).set(home).set(now).set(limit).list(ScheduledNotificationStore::due);
  }

  /// Deletes rows of one home and returns those that existed, as owner and key.
  Set<List<String>> remove(Tx tx, List<Due> rows) throws SQLException {
    Set<List<String>> removed = new HashSet<>();
    tx.sql(REMOVE, rows).each(row -> removed.add(List.of(row.textAt(1), row.textAt(2))));
    return removed;
  }

  private static Due due(Row row) throws SQLException {
    return new Due(row.textAt(1), row.textAt(2), row.bytesAt(3));
  }
}
