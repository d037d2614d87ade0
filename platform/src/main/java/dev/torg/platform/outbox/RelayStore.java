package dev.torg.platform.outbox;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.lease.Lease;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/// The outbox rows of one group of homes, for the holder of its lease. Every change checks the lease
/// in its own transaction, so a stale holder changes nothing. Rows are deleted by their whole key,
/// never by range: a row with a lower `seq` may be committed after one with a higher.
final class RelayStore {
  /// One Kafka transaction.
  private static final int ROWS = 1000;

  /// Of payload in one batch, more or less: what a producer's buffer holds.
  private static final int BYTES = 4 * 1024 * 1024;

  /// The queue is empty one moment and millions of rows long the next, so a plan is made for what it
  /// is now and never kept.
  private static final String PLAN_AFRESH =
      "SELECT set_config('plan_cache_mode', 'force_custom_plan', true)";

  private static final String OLDEST =
      """
      SELECT home, seq, topic, key, payload FROM (
        SELECT o.*, sum(octet_length(payload)) OVER (ORDER BY seq, home, topic, key) AS total
        FROM outbox o
        WHERE homes_group = ? AND NOT EXISTS (
          SELECT FROM outbox_blocked b
          WHERE b.home = o.home AND b.topic = o.topic AND b.key = o.key
            AND b.retry_at > clock_timestamp())
        ORDER BY seq, home, topic, key LIMIT ?) AS oldest
      WHERE total - octet_length(payload) < ?
      ORDER BY seq, home, topic, key
      """;
  private static final String DELETE =
      """
      DELETE FROM outbox o
      USING unnest(?::int[], ?::bigint[], ?::text[], ?::text[]) AS sent (home, seq, topic, key)
      WHERE o.homes_group = ? AND o.seq = sent.seq AND o.home = sent.home
        AND o.topic = sent.topic AND o.key = sent.key
      """;
  private static final String BLOCK =
      """
      INSERT INTO outbox_blocked AS b
        (home, homes_group, topic, key, reason, attempts, blocked_at, retry_at)
      SELECT DISTINCT ON (home, topic, key)
        home, ?, topic, key, reason, 1, now(), now() + interval '1 s'
      FROM unnest(?::int[], ?::text[], ?::text[], ?::text[]) AS refused (home, topic, key, reason)
      ON CONFLICT (home, topic, key) DO UPDATE SET
        reason = excluded.reason,
        attempts = b.attempts + 1,
        retry_at = now() + least(interval '5 min', interval '1 s' * power(2, least(b.attempts, 10)))
      """;
  private static final String UNBLOCK =
      """
      DELETE FROM outbox_blocked b
      USING unnest(?::int[], ?::text[], ?::text[]) AS sent (home, topic, key)
      WHERE b.home = sent.home AND b.topic = sent.topic AND b.key = sent.key
      """;
  private static final String HAS_BLOCKED =
      "SELECT EXISTS (SELECT FROM outbox_blocked WHERE homes_group = ?)";

  private final Database database;
  private final Lease lease;

  /// Whether some key of the group is, or lately was, blocked: then a success may unblock it.
  private boolean hasBlocked;

  RelayStore(Database database, Lease lease) {
    this.database = database;
    this.lease = lease;
  }

  /// Fails unless the lease is still ours.
  void checkLease() {
    hasBlocked =
        database.inTransaction(
            tx -> {
              lease.check(tx);
              return hasBlocked(tx);
            });
  }

  List<OutboxMessage> oldest() {
    return database.inTransaction(
        tx -> {
          planAfresh(tx);
          return oldest(tx);
        });
  }

  /// Whether there may be more behind these.
  static boolean isFull(List<OutboxMessage> oldest) {
    return oldest.size() == ROWS
        || oldest.stream().mapToInt(message -> message.payload().length).sum() >= BYTES;
  }

  void delete(List<OutboxMessage> sent) {
    database.inTransaction(
        tx -> {
          lease.check(tx);
          planAfresh(tx);
          delete(tx, sent);
          if (hasBlocked) {
            unblock(tx, sent);
            hasBlocked = hasBlocked(tx);
          }
          return sent.size();
        });
  }

  void block(Map<OutboxMessage, String> refused) {
    hasBlocked = true;
    database.inTransaction(
        tx -> {
          lease.check(tx);
          block(tx, refused);
          return refused.size();
        });
  }

  private static void planAfresh(Tx tx) throws SQLException {
    try (PreparedStatement statement = tx.prepare(PLAN_AFRESH)) {
      statement.execute();
    }
  }

  private List<OutboxMessage> oldest(Tx tx) throws SQLException {
    List<OutboxMessage> messages = new ArrayList<>();
    try (PreparedStatement statement = tx.prepare(OLDEST)) {
      statement.setInt(1, lease.group());
      statement.setInt(2, ROWS);
      statement.setInt(3, BYTES);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          messages.add(message(rows));
        }
      }
    }
    return messages;
  }

  private void delete(Tx tx, List<OutboxMessage> sent) throws SQLException {
    try (PreparedStatement statement = tx.prepare(DELETE)) {
      statement.setObject(1, homes(sent));
      statement.setObject(2, sent.stream().mapToLong(OutboxMessage::seq).toArray());
      statement.setObject(3, topics(sent));
      statement.setObject(4, keys(sent));
      statement.setInt(5, lease.group());
      statement.executeUpdate();
    }
  }

  private void block(Tx tx, Map<OutboxMessage, String> refused) throws SQLException {
    List<OutboxMessage> messages = List.copyOf(refused.keySet());
    try (PreparedStatement statement = tx.prepare(BLOCK)) {
      statement.setInt(1, lease.group());
      statement.setObject(2, homes(messages));
      statement.setObject(3, topics(messages));
      statement.setObject(4, keys(messages));
      statement.setObject(5, messages.stream().map(refused::get).toArray(String[]::new));
      statement.executeUpdate();
    }
  }

  private static void unblock(Tx tx, List<OutboxMessage> sent) throws SQLException {
    try (PreparedStatement statement = tx.prepare(UNBLOCK)) {
      statement.setObject(1, homes(sent));
      statement.setObject(2, topics(sent));
      statement.setObject(3, keys(sent));
      statement.executeUpdate();
    }
  }

  private boolean hasBlocked(Tx tx) throws SQLException {
    try (PreparedStatement statement = tx.prepare(HAS_BLOCKED)) {
      statement.setInt(1, lease.group());
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() && rows.getBoolean(1);
      }
    }
  }

  private static int[] homes(Collection<OutboxMessage> messages) {
    return messages.stream().mapToInt(message -> message.home().number()).toArray();
  }

  private static String[] topics(Collection<OutboxMessage> messages) {
    return messages.stream().map(OutboxMessage::topic).toArray(String[]::new);
  }

  private static String[] keys(Collection<OutboxMessage> messages) {
    return messages.stream().map(OutboxMessage::key).toArray(String[]::new);
  }

  private static OutboxMessage message(ResultSet rows) throws SQLException {
    return new OutboxMessage(
        new Home(rows.getInt(1)),
        rows.getLong(2),
        rows.getString(3),
        rows.getString(4),
        rows.getBytes(5));
  }
}
