package dev.torg.platform.outbox;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Sql;
import dev.torg.platform.db.Tx;
import dev.torg.platform.db.Work;
import dev.torg.platform.lease.Lease;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// The outbox rows of one group of homes, for the holder of its lease. Every change checks the lease
/// in its own transaction, so a stale holder changes nothing. Rows are deleted by their whole key,
/// never by range: a row with a lower `seq` may be committed after one with a higher.
final class RelayStore {
  /// One Kafka transaction.
  private static final int ROWS = 1000;

  /// Of payload in one batch, more or less: what a producer's buffer holds.
  private static final int BYTES = 4 * 1024 * 1024;

  /// Rows that come from the server at once, so that a batch of the largest events fits in memory.
  private static final int FETCH = 250;

  /// The queue is empty one moment and millions of rows long the next, so a plan is made for what it
  /// is now and never kept.
  private static final String PLAN_AFRESH =
      "SELECT set_config('plan_cache_mode', 'force_custom_plan', true)";

  private static final String WAITING =
      """
      SELECT held.homes_group FROM unnest(?::int[]) AS held (homes_group)
      CROSS JOIN LATERAL (
        SELECT FROM outbox o WHERE o.homes_group = held.homes_group LIMIT 1) AS any_row
      """;
  private static final String OLDEST =
      """
      SELECT home, seq, topic, key, payload FROM outbox o
      WHERE homes_group = ? AND NOT EXISTS (
        SELECT FROM outbox_blocked b
        WHERE b.home = o.home AND b.topic = o.topic AND b.key = o.key
          AND b.retry_at > clock_timestamp())
      ORDER BY seq, home, topic, key LIMIT ?
      """;
  private static final String DELETE =
      """
      DELETE FROM outbox o
      USING unnest(?::int[], ?::text[], ?::text[], ?::bigint[]) AS sent (home, topic, key, seq)
      WHERE o.homes_group = ? AND o.seq = sent.seq AND o.home = sent.home
        AND o.topic = sent.topic AND o.key = sent.key
      """;
  private static final String DELETE_OF_HOME = DELETE + " AND o.home = ?";
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
  private static final String UNBLOCK_OF_HOME = UNBLOCK + " AND b.home = ?";
  private static final String COUNT_BLOCKED =
      "SELECT count(*)::int FROM outbox_blocked WHERE homes_group = ?";

  private final Database database;
  private final boolean distributed;
  private final Lease lease;

  /// How many keys of the group are blocked: only the holder of the lease blocks and unblocks, so a
  /// count stays true.
  private int blocked;

  RelayStore(Database database, boolean distributed, Lease lease) {
    this.database = database;
    this.distributed = distributed;
    this.lease = lease;
  }

  /// Those of the leases whose groups have rows; not for distributed tables.
  static List<Lease> waiting(Database database, List<Lease> held) {
    Set<Integer> groups = new HashSet<>();
    database.inTransaction(
        tx -> {
          tx.sql(PLAN_AFRESH).first(row -> true);
          tx.sql(WAITING).ints(held, Lease::group).each(row -> groups.add(row.intAt(1)));
          return true;
        });
    return held.stream().filter(lease -> groups.contains(lease.group())).toList();
  }

  /// Fails unless the lease is still ours.
  void checkLease() {
    blocked =
        database.inTransaction(
            tx -> {
              lease.check(tx);
              return countBlocked(tx);
            });
  }

  int group() {
    return lease.group();
  }

  /// Keys of the group that Kafka refuses.
  int blocked() {
    return blocked;
  }

  List<OutboxMessage> oldest() {
    return database.inTransaction(
        tx -> {
          tx.sql(PLAN_AFRESH).first(row -> true);
          return oldest(tx);
        });
  }

  /// Whether there may be more behind these.
  static boolean isFull(List<OutboxMessage> oldest) {
    return oldest.size() == ROWS
        || oldest.stream().mapToInt(message -> message.payload().length).sum() >= BYTES;
  }

  /// Deletes exactly these rows; on a distributed table each home's in a transaction of its own.
  void delete(List<OutboxMessage> sent) {
    if (distributed) {
      sent.stream()
          .collect(Collectors.groupingBy(OutboxMessage::home))
          .forEach((home, messages) -> blocked -= inLease(tx -> deleteOfHome(tx, home, messages)));
    } else {
      blocked -= inLease(tx -> deleteOfAnyHome(tx, sent));
    }
  }

  /// Sets the keys of these messages aside.
  void block(Map<OutboxMessage, String> refused) {
    List<OutboxMessage> messages = List.copyOf(refused.keySet());
    blocked =
        inLease(
            tx -> {
              tx.sql(BLOCK)
                  .set(lease.group())
                  .homes(messages, OutboxMessage::home)
                  .texts(messages, OutboxMessage::topic)
                  .texts(messages, OutboxMessage::key)
                  .texts(messages, refused::get)
                  .update();
              return countBlocked(tx);
            });
  }

  private int countBlocked(Tx tx) throws SQLException {
    return tx.sql(COUNT_BLOCKED).set(lease.group()).first(row -> row.intAt(1)).orElseThrow();
  }

  private int inLease(Work<Integer> change) {
    return database.inTransaction(
        tx -> {
          lease.check(tx);
          tx.sql(PLAN_AFRESH).first(row -> true);
          return change.run(tx);
        });
  }

  private List<OutboxMessage> oldest(Tx tx) throws SQLException {
    List<OutboxMessage> messages = new ArrayList<>();
    int bytes = 0;
    try (PreparedStatement statement = tx.prepare(OLDEST)) {
      statement.setFetchSize(FETCH);
      statement.setInt(1, lease.group());
      statement.setInt(2, ROWS);
      try (ResultSet rows = statement.executeQuery()) {
        while (bytes < BYTES && rows.next()) {
          messages.add(message(rows));
          bytes += messages.getLast().payload().length;
        }
      }
    }
    return messages;
  }

  /// Tells how many keys it unblocked.
  private int deleteOfAnyHome(Tx tx, List<OutboxMessage> sent) throws SQLException {
    int unblocked = blocked > 0 ? keys(tx.sql(UNBLOCK), sent).update() : 0;
    rows(tx.sql(DELETE), sent).update();
    return unblocked;
  }

  private int deleteOfHome(Tx tx, Home home, List<OutboxMessage> sent) throws SQLException {
    int unblocked = blocked > 0 ? keys(tx.sql(UNBLOCK_OF_HOME), sent).set(home).update() : 0;
    rows(tx.sql(DELETE_OF_HOME), sent).set(home).update();
    return unblocked;
  }

  private Sql rows(Sql sql, List<OutboxMessage> messages) throws SQLException {
    return keys(sql, messages).longs(messages, OutboxMessage::seq).set(lease.group());
  }

  private static Sql keys(Sql sql, List<OutboxMessage> messages) throws SQLException {
    return sql.homes(messages, OutboxMessage::home)
        .texts(messages, OutboxMessage::topic)
        .texts(messages, OutboxMessage::key);
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
