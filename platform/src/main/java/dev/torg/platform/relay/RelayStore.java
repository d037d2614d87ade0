package dev.torg.platform.relay;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Sql;
import dev.torg.platform.db.Tx;
import dev.torg.platform.lease.Lease;
import dev.torg.platform.outbox.OutboxMessage;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The outbox rows of the groups that this process holds. Every change checks the leases in its own
/// transaction, so a stale holder changes nothing. Rows are deleted by their whole key, never by range:
/// a row with a lower `seq` may be committed after one with a higher.
final class RelayStore {
  /// One Kafka transaction, shared by the groups that have something to send.
  private static final int MAX_BATCH_ROWS = 2000;

  /// Of payload in one batch, more or less: what a producer's buffer holds.
  private static final int MAX_BATCH_BYTES = 4 * 1024 * 1024;

  /// Rows fetched from the server at a time, so that a batch of the largest events fits in memory.
  private static final int FETCH_SIZE = 250;

  /// One time for the whole statement: a key that becomes due during the statement would otherwise be sent
  /// without its first rows.
  private static final String OLDEST_OF_GROUP =
      """
      SELECT o.home, o.seq, o.topic, o.key, o.payload FROM outbox o
      WHERE o.homes_group = %s AND NOT EXISTS (
        SELECT FROM outbox_blocked b
        WHERE b.home = o.home AND b.topic = o.topic AND b.key = o.key
          AND b.retry_at > now())
      ORDER BY o.seq, o.home, o.topic, o.key LIMIT ?
      """;

  private static final String OLDEST =
      """
      SELECT o.home, o.seq, o.topic, o.key, o.payload
      FROM unnest(?::int[]) AS g (homes_group) CROSS JOIN LATERAL (%s) o
      """
          .formatted(OLDEST_OF_GROUP.formatted("g.homes_group"));
  private static final String OLDEST_OF_ONE = OLDEST_OF_GROUP.formatted("?");
  private static final String DELETE =
      """
      DELETE FROM outbox o
      USING unnest(?::int[], ?::text[], ?::text[], ?::bigint[], ?::int[])
        AS sent (home, topic, key, seq, homes_group)
      WHERE o.homes_group = sent.homes_group AND o.seq = sent.seq AND o.home = sent.home
        AND o.topic = sent.topic AND o.key = sent.key
      """;
  private static final String DELETE_OF_HOME = DELETE + " AND o.home = ?";
  private static final String BLOCK =
      """
      INSERT INTO outbox_blocked AS b
        (home, homes_group, topic, key, reason, attempts, blocked_at, retry_at)
      SELECT DISTINCT ON (home, topic, key)
        home, home % %d, topic, key, reason, 1, now(), now() + interval '1 s'
      FROM unnest(?::int[], ?::text[], ?::text[], ?::text[]) AS refused (home, topic, key, reason)
      ON CONFLICT (home, topic, key) DO UPDATE SET
        reason = excluded.reason,
        attempts = b.attempts + 1,
        retry_at = now() + least(interval '5 min', interval '1 s' * power(2, least(b.attempts, 10)))
      """
          .replace("%d", Integer.toString(Home.GROUPS));
  private static final String UNBLOCK =
      """
      DELETE FROM outbox_blocked b
      USING unnest(?::int[], ?::text[], ?::text[]) AS sent (home, topic, key)
      WHERE b.home = sent.home AND b.topic = sent.topic AND b.key = sent.key%s
      RETURNING b.homes_group
      """;
  private static final String UNBLOCK_OF_ANY_HOME = UNBLOCK.formatted("");
  private static final String UNBLOCK_OF_HOME = UNBLOCK.formatted(" AND b.home = ?");
  private static final String COUNT_BLOCKED =
      """
      SELECT homes_group, count(*)::int FROM outbox_blocked
      WHERE homes_group = ANY (?::int[]) GROUP BY homes_group
      """;
  private static final String SENDER = "SELECT sender FROM relay_sender WHERE homes_group = ?";
  private static final String TAKE =
      """
      INSERT INTO relay_sender (homes_group, sender) VALUES (?, ?)
      ON CONFLICT (homes_group) DO UPDATE SET sender = excluded.sender
      """;
  private static final String CLEAR_SENDER =
      "DELETE FROM relay_sender WHERE homes_group = ? AND sender = ?";

  private final Database database;
  private final boolean distributed;

  /// How many keys of each group are blocked: only the holder of the lease blocks and unblocks, so a
  /// count stays true.
  private final AtomicIntegerArray blocked = new AtomicIntegerArray(Home.GROUPS);

  /// How many groups had rows last time: the next round is shared between this many. A single feed of a million
  /// items fills it alone.
  private int busy = 1;

  RelayStore(Database database) {
    this.database = database;
    this.distributed = database.isDistributed();
  }

  /// The oldest rows, in order in each group, and the groups that may have more behind these.
  record OutboxBatch(List<OutboxMessage> messages, Set<Integer> more) {}

  /// The process that last sent the group's rows and may have some in flight.
  Optional<String> sender(int group) {
    return database.read(tx -> tx.sql(SENDER).set(group).first(row -> row.textAt(1)));
  }

  /// Records this process as the group's sender. Returns how many of its keys are blocked.
  int take(Lease lease, String sender) {
    return database.inTransaction(
        tx -> {
          lease.check(tx);
          tx.sql(TAKE).set(lease.group()).set(sender).update();
          countBlocked(tx, Set.of(lease.group()));
          return blocked(lease.group());
        });
  }

  /// Nothing of the group is on its way any more.
  void giveBack(Lease lease, String sender) {
    database.inTransaction(
        tx -> {
          lease.check(tx);
          return tx.sql(CLEAR_SENDER).set(lease.group()).set(sender).update();
        });
  }

  /// The leases that this process no longer holds.
  Set<Lease> lost(Collection<Lease> leases) {
    return database.inTransaction(tx -> Lease.lost(tx, leases));
  }

  /// Keys of the group that Kafka refuses.
  int blocked(int group) {
    return blocked.get(group);
  }

  OutboxBatch oldest(Set<Integer> groups) {
    if (groups.isEmpty()) {
      return new OutboxBatch(List.of(), Set.of());
    }
    FairShare fairShare = database.inTransaction(tx -> gather(tx, groups));
    busy = Math.max(1, fairShare.groups());
    return fairShare.oldest();
  }

  private FairShare gather(Tx tx, Set<Integer> groups) throws SQLException {
    tx.forceCustomPlans();
    FairShare fairShare = new FairShare(busy, groups);
    if (distributed) {
      for (int group : groups) {
        gather(tx.prepare(OLDEST_OF_ONE), group, fairShare);
      }
    } else {
      gather(tx.prepare(OLDEST), groups.toArray(Integer[]::new), fairShare);
    }
    return fairShare;
  }

  /// Deletes exactly these rows, except for those of groups whose lease is lost, which are returned; on a
  /// distributed table each home's in a transaction of its own.
  Set<Lease> delete(Collection<Lease> leases, List<OutboxMessage> sent) {
    if (!distributed) {
      return inLeases(leases, sent, this::deleteOfAnyHome);
    }
    Set<Lease> lost = new HashSet<>();
    sent.stream()
        .collect(Collectors.groupingBy(OutboxMessage::home))
        .forEach(
            (home, messages) ->
                lost.addAll(
                    inLeases(leases, messages, (tx, held) -> deleteOfHome(tx, home, held))));
    return lost;
  }

  /// Moves the keys of these messages to the blocked table. Returns the leases that are lost.
  Set<Lease> block(Collection<Lease> leases, Map<OutboxMessage, String> refused) {
    return inLeases(
        leases,
        List.copyOf(refused.keySet()),
        (tx, messages) -> {
          tx.sql(BLOCK)
              .homes(messages, OutboxMessage::home)
              .texts(messages, OutboxMessage::topic)
              .texts(messages, OutboxMessage::key)
              .texts(messages, refused::get)
              .update();
          countBlocked(tx, groups(messages));
        });
  }

  /// A change of rows whose lease is still held.
  private interface Change {
    void make(Tx tx, List<OutboxMessage> held) throws SQLException;
  }

  private Set<Lease> inLeases(Collection<Lease> leases, List<OutboxMessage> rows, Change change) {
    Set<Integer> touched = groups(rows);
    List<Lease> needed = leases.stream().filter(lease -> touched.contains(lease.group())).toList();
    return database.inTransaction(
        tx -> {
          Set<Lease> lost = Lease.lost(tx, needed);
          Set<Integer> held = needed.stream().map(Lease::group).collect(Collectors.toSet());
          lost.forEach(lease -> held.remove(lease.group()));
          tx.forceCustomPlans();
          change.make(tx, rows.stream().filter(row -> held.contains(row.home().group())).toList());
          return lost;
        });
  }

  private static Set<Integer> groups(Collection<OutboxMessage> messages) {
    return messages.stream().map(message -> message.home().group()).collect(Collectors.toSet());
  }

  private void countBlocked(Tx tx, Set<Integer> groups) throws SQLException {
    groups.forEach(group -> blocked.set(group, 0));
    tx.sql(COUNT_BLOCKED)
        .ints(List.copyOf(groups), Integer::intValue)
        .each(row -> blocked.set(row.intAt(1), row.intAt(2)));
  }

  private static void gather(PreparedStatement prepared, Object groups, FairShare fairShare)
      throws SQLException {
    try (PreparedStatement statement = prepared) {
      statement.setFetchSize(FETCH_SIZE);
      statement.setObject(1, groups instanceof Integer[] some ? array(statement, some) : groups);
      statement.setInt(2, fairShare.rowsOfGroup);
      try (ResultSet rows = statement.executeQuery()) {
        while (!fairShare.isFull() && rows.next()) {
          fairShare.add(message(rows));
        }
      }
    }
  }

  private static java.sql.Array array(PreparedStatement statement, Integer[] groups)
      throws SQLException {
    return statement.getConnection().createArrayOf("int4", groups);
  }

  /// The rows that a round takes: of each group a fair share of rows and bytes. When more groups have rows than
  /// last time, it takes twice as much and leaves the others to the next round.
  private static final class FairShare {
    private final int rowsOfGroup;
    private final int bytesOfGroup;
    private final Set<Integer> requested;
    private final List<OutboxMessage> messages = new ArrayList<>();
    private final Set<Integer> more = new HashSet<>();
    private final Map<Integer, Integer> rows = new TreeMap<>();
    private final Map<Integer, Integer> bytes = new TreeMap<>();
    private int allBytes;

    FairShare(int busy, Set<Integer> asked) {
      this.rowsOfGroup = MAX_BATCH_ROWS / busy;
      this.bytesOfGroup = MAX_BATCH_BYTES / busy;
      this.requested = asked;
    }

    boolean isFull() {
      return messages.size() >= 2 * MAX_BATCH_ROWS || allBytes >= 2 * MAX_BATCH_BYTES;
    }

    void add(OutboxMessage message) {
      int group = message.home().group();
      if (bytes.getOrDefault(group, 0) >= bytesOfGroup) {
        more.add(group);
        return;
      }
      messages.add(message);
      allBytes += message.payload().length;
      bytes.merge(group, message.payload().length, Integer::sum);
      if (rows.merge(group, 1, Integer::sum) == rowsOfGroup) {
        more.add(group);
      }
    }

    int groups() {
      return isFull() ? requested.size() : rows.size();
    }

    OutboxBatch oldest() {
      messages.sort(Comparator.comparingLong(OutboxMessage::seq));
      return new OutboxBatch(messages, isFull() ? Set.copyOf(requested) : more);
    }
  }

  private void deleteOfAnyHome(Tx tx, List<OutboxMessage> sent) throws SQLException {
    unblock(tx, sent, null);
    rows(tx.sql(DELETE), sent).update();
  }

  private void deleteOfHome(Tx tx, Home home, List<OutboxMessage> sent) throws SQLException {
    unblock(tx, sent, home);
    rows(tx.sql(DELETE_OF_HOME), sent).set(home).update();
  }

  private void unblock(Tx tx, List<OutboxMessage> sent, @Nullable Home home) throws SQLException {
    if (groups(sent).stream().allMatch(group -> blocked(group) == 0)) {
      return;
    }
    Sql unblock =
        home == null
            ? keys(tx.sql(UNBLOCK_OF_ANY_HOME), sent)
            : keys(tx.sql(UNBLOCK_OF_HOME), sent).set(home);
    List<Integer> unblocked = unblock.list(row -> row.intAt(1));
    tx.afterCommit(() -> unblocked.forEach(blocked::decrementAndGet));
  }

  private static Sql rows(Sql sql, List<OutboxMessage> messages) throws SQLException {
    return keys(sql, messages)
        .longs(messages, OutboxMessage::seq)
        .ints(messages, message -> message.home().group());
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
