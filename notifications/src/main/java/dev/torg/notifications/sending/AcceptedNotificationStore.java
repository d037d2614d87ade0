package dev.torg.notifications.sending;

import com.google.common.hash.HashCode;
import dev.torg.notifications.sending.AcceptedNotification.Key;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// SQL over the records of accepted notifications. Rows are inserted in key order, so that two batches that share
/// notifications wait for each other without a deadlock, and never changed.
final class AcceptedNotificationStore {
  private static final BatchSql<AcceptedNotification> INSERT =
      BatchColumns.of(AcceptedNotification::home)
          .texts("sender", accepted -> accepted.key().sender())
          .texts("id", accepted -> accepted.key().id())
          .ints("recipients", accepted -> accepted.recipients().size())
          .instants("accepted_at", AcceptedNotification::at)
          .bytes("body_hash", accepted -> accepted.bodyHash().asBytes())
          .sql(
              """
              INSERT INTO accepted_notification
                (home, sender, id, recipients, accepted_at, body_hash)
              SELECT k.home, k.sender, k.id, k.recipients, k.accepted_at, k.body_hash FROM :rows(k)
               ORDER BY k.home, k.sender, k.id
              ON CONFLICT (home, sender, id) DO NOTHING
              RETURNING sender, id
              """);

  private static final BatchSql<Key> FIND =
      BatchColumns.of(Key::home)
          .texts("sender", Key::sender)
          .texts("id", Key::id)
          .sql(
              """
              SELECT a.sender, a.id, a.recipients, a.body_hash FROM :batch(k)
                JOIN accepted_notification a
                  ON a.home = k.home AND a.sender = k.sender AND a.id = k.id
               WHERE :shard(a)
              """);

  /// The record of a notification.
  record Stored(int recipients, HashCode bodyHash) {}

  /// Inserts those that do not exist and returns their keys. Waits for a concurrent transaction that inserts one.
  Set<Key> insert(Tx tx, List<AcceptedNotification> notifications) throws SQLException {
    Set<Key> inserted = new HashSet<>();
    tx.sql(INSERT, notifications).each(row -> inserted.add(new Key(row.textAt(1), row.textAt(2))));
    return inserted;
  }

  Map<Key, Stored> find(Tx tx, List<Key> keys) throws SQLException {
    Map<Key, Stored> found = new HashMap<>();
    tx.sql(FIND, keys)
        .each(
            row ->
                found.put(
                    new Key(row.textAt(1), row.textAt(2)),
                    new Stored(row.intAt(3), HashCode.fromBytes(row.bytesAt(4)))));
    return found;
  }
}
