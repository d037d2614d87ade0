package dev.torg.platform.relay;

import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.EachShard;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Sql;
import dev.torg.platform.db.Tx;
import dev.torg.platform.lease.Lease;
import dev.torg.platform.outbox.OutboxMessage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/// The outbox rows of the groups that this process holds. Every change checks the leases in its own
/// transaction, so a stale holder changes nothing. Rows are deleted by their whole key, never by range:
/// a row with a lower `seq` may be committed after one with a higher.
final class RelayStore {
  /// One Kafka transaction, shared by the groups that have something to send.
  private static final int MAX_BATCH_ROWS = 2000;

  /// Payload bytes of one batch, approximately: what a producer's buffer holds.
  private static final int MAX_BATCH_BYTES = 4 * 1024 * 1024;

  /// When more queues have rows than last time, a round takes twice as much.
  private static final int MAX_ROUND_ROWS = 2 * MAX_BATCH_ROWS;

  private static final int MAX_ROUND_BYTES = 2 * MAX_BATCH_BYTES;

  /// Rows fetched from the server at a time, so that a batch of the largest events fits in memory.
  private static final int FETCH_SIZE = 250;

  /// One time for the whole statement: a key that becomes due during the statement would otherwise be sent
  /// without its first rows.
  private static final String NOT_BLOCKED =
      """
      NOT EXISTS (SELECT FROM outbox_blocked b WHERE b.home = o.home AND b.topic = o.topic
        AND b.key = o.key AND b.retry_at > now())
      """;

  /// On plain PostgreSQL: the oldest rows of each group.
  private static final String OLDEST_OF_GROUPS =
      """
      SELECT o.home, o.seq, o.topic, o.key, o.payload
      FROM unnest(?::int[]) AS g (homes_group) CROSS JOIN LATERAL (
        SELECT o.home, o.seq, o.topic, o.key, o.payload FROM outbox o
        WHERE o.homes_group = g.homes_group AND %s
        ORDER BY o.seq, o.home, o.topic, o.key LIMIT ?) o
      """
          .formatted(NOT_BLOCKED);

  /// On distributed tables: the homes that have rows, in one statement for all shards.
  private static final String WAITING_HOMES =
      """
      SELECT h.home FROM homes h WHERE h.home %% %d = ANY (?::int[]) AND EXISTS (
        SELECT FROM outbox o WHERE o.home = h.home AND o.homes_group = h.home %% %d AND %s)
      """
          .formatted(Home.GROUPS, Home.GROUPS, NOT_BLOCKED);

  /// The oldest rows of each of these homes, which are of one shard.
  private static final BatchSql<Home> OLDEST_OF_HOMES =
      BatchColumns.<Home>of(home -> home)
          .sql(
              """
              SELECT o.home, o.seq, o.topic, o.key, o.payload
              FROM :batch(h) CROSS JOIN LATERAL (
                SELECT o.home, o.seq, o.topic, o.key, o.payload FROM outbox o
                WHERE o.home = h.home AND o.homes_group = h.home %% %d AND :shard(o)
                  AND NOT EXISTS (SELECT FROM outbox_blocked b WHERE b.home = o.home
                    AND b.topic = o.topic AND b.key = o.key AND b.retry_at > now() AND :shard(b))
                ORDER BY o.homes_group, o.seq, o.home, o.topic, o.key LIMIT ?) o
              """
                  .formatted(Home.GROUPS));

  private static final BatchColumns<OutboxMessage> KEYS =
      BatchColumns.of(OutboxMessage::home)
          .texts("topic", OutboxMessage::topic)
          .texts("key", OutboxMessage::key);

  private static final BatchSql<OutboxMessage> DELETE =
      KEYS.longs("seq", OutboxMessage::seq)
          .ints("homes_group", message -> message.home().group())
          .sql(
              """
              DELETE FROM outbox o USING :batch(sent)
              WHERE o.homes_group = sent.homes_group AND o.seq = sent.seq AND o.home = sent.home
                AND o.topic = sent.topic AND o.key = sent.key AND :shard(o)
              """);

  /// Only the holder of the lease changes a blocked key, so its attempts can be read by the statement that
  /// raises them.
  private static final BatchSql<RefusedKey> BLOCK =
      BatchColumns.of(RefusedKey::home)
          .texts("topic", RefusedKey::topic)
          .texts("key", RefusedKey::key)
          .texts("reason", RefusedKey::reason)
          .sql(
              """
              INSERT INTO outbox_blocked
                (home, homes_group, topic, key, reason, attempts, blocked_at, retry_at)
              SELECT r.home, r.home %% %d, r.topic, r.key, r.reason, coalesce(b.attempts, 0) + 1,
                now(), now() + least(interval '5 min',
                  interval '1 s' * power(2, least(coalesce(b.attempts, 0), 10)))
              FROM :rows(r) LEFT JOIN outbox_blocked b
                ON b.home = r.home AND b.topic = r.topic AND b.key = r.key AND :shard(b)
              ON CONFLICT (home, topic, key) DO UPDATE SET
                reason = excluded.reason, attempts = excluded.attempts, retry_at = excluded.retry_at
              """
                  .formatted(Home.GROUPS));

  private static final BatchSql<OutboxMessage> UNBLOCK =
      KEYS.sql(
          """
          DELETE FROM outbox_blocked b USING :batch(sent)
          WHERE b.home = sent.home AND b.topic = sent.topic AND b.key = sent.key AND :shard(b)
          RETURNING b.homes_group
          """);

  private static final String COUNT_BLOCKED =
      """
      SELECT homes_group, count(*)::int FROM outbox_blocked
      WHERE homes_group = ANY (?::int[]) GROUP BY homes_group
      """;
  private static final String SENDER = "SELECT sender FROM relay_sender WHERE homes_group = ?";
  private static final String RECORD_SENDER =
      """
      INSERT INTO relay_sender (homes_group, sender) VALUES (?, ?)
      ON CONFLICT (homes_group) DO UPDATE SET sender = excluded.sender
      """;
  private static final String CLEAR_SENDER =
      "DELETE FROM relay_sender WHERE homes_group = ? AND sender = ?";

  private final Database database;
  private final boolean distributed;

  /// The number of blocked keys of each group. Only the holder of the lease blocks and unblocks, so
  /// the count stays exact.
  private final AtomicIntegerArray blocked = new AtomicIntegerArray(Home.GROUPS);

  /// How many queues had rows last time: the next round is shared between this many. A single feed
  /// of a million items fills it alone.
  private int busy = 1;

  RelayStore(Database database) {
    this.database = database;
    this.distributed = database.isDistributed();
  }

  /// The oldest rows, in order in each group, and the groups that may have more rows.
  record OutboxBatch(List<OutboxMessage> messages, Set<Integer> more) {}

  /// The process that last sent the group's rows and may have some in flight.
  Optional<String> sender(int group) {
    return database.read(tx -> tx.sql(SENDER).set(group).first(row -> row.textAt(1)));
  }

  /// Records this process as the group's sender. Returns how many of its keys are blocked.
  int recordSender(Lease lease, String sender) {
    database.transact(
        tx -> {
          lease.check(tx);
          tx.sql(RECORD_SENDER).set(lease.group()).set(sender).update();
        });
    countBlocked(Set.of(lease.group()));
    return blocked(lease.group());
  }

  /// Clears the sender: no event of the group is in flight.
  void clearSender(Lease lease, String sender) {
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
    FairShare fairShare = distributed ? oldestByHome(groups) : oldestByGroup(groups);
    busy = Math.max(1, fairShare.queues());
    return fairShare.oldest();
  }

  private FairShare oldestByGroup(Set<Integer> groups) {
    List<Integer> all = List.copyOf(groups);
    return database.inTransaction(
        tx -> {
          FairShare fairShare = new FairShare(busy, groups, Home::group);
          tx.forceCustomPlans();
          return gather(
              tx.sql(OLDEST_OF_GROUPS).ints(all, Integer::intValue).set(fairShare.rowsOfQueue),
              fairShare);
        });
  }

  private FairShare oldestByHome(Set<Integer> groups) {
    FairShare all = new FairShare(busy, groups, Home::number);
    EachShard.run(
        database.shards().split(waitingHomes(groups), home -> home),
        homes -> {
          if (!all.isFull()) {
            all.addAll(oldestOfShard(homes, groups));
          }
        });
    return all;
  }

  private List<Home> waitingHomes(Set<Integer> groups) {
    List<Integer> all = List.copyOf(groups);
    return database.read(
        tx -> tx.sql(WAITING_HOMES).ints(all, Integer::intValue).list(row -> row.homeAt(1)));
  }

  private FairShare oldestOfShard(List<Home> homes, Set<Integer> groups) {
    return database.inTransaction(
        tx -> {
          FairShare fairShare = new FairShare(busy, groups, Home::number);
          return gather(tx.sql(OLDEST_OF_HOMES, homes).set(fairShare.rowsOfQueue), fairShare);
        });
  }

  private static FairShare gather(Sql sql, FairShare fairShare) throws SQLException {
    sql.eachWhile(FETCH_SIZE, row -> fairShare.add(message(row)));
    return fairShare;
  }

  /// Deletes exactly these rows, except for those of groups whose lease is lost, which are returned.
  Set<Lease> delete(Collection<Lease> leases, List<OutboxMessage> sent) {
    return inLeases(leases, sent, this::delete);
  }

  private void delete(Tx tx, List<OutboxMessage> sent) throws SQLException {
    unblock(tx, sent);
    tx.sql(DELETE, sent).update();
  }

  private void unblock(Tx tx, List<OutboxMessage> sent) throws SQLException {
    if (groups(sent).stream().allMatch(group -> blocked(group) == 0)) {
      return;
    }
    List<Integer> unblocked = tx.sql(UNBLOCK, sent).list(row -> row.intAt(1));
    tx.afterCommit(() -> unblocked.forEach(blocked::decrementAndGet));
  }

  /// Moves the keys of these messages to the blocked table. Returns the leases that are lost.
  Set<Lease> block(Collection<Lease> leases, Map<OutboxMessage, String> refused) {
    Set<Integer> groups = groups(refused.keySet());
    // If the keys cannot be counted below, the next sent rows are still searched for blocked keys.
    groups.forEach(group -> blocked.accumulateAndGet(group, 1, Math::max));
    Set<Lease> lost =
        inLeases(
            leases,
            List.copyOf(refused.keySet()),
            (tx, messages) -> tx.sql(BLOCK, refusedKeys(messages, refused)).update());
    countBlocked(groups);
    return lost;
  }

  private record RefusedKey(Home home, String topic, String key, String reason) {}

  /// Each key once.
  private static List<RefusedKey> refusedKeys(
      List<OutboxMessage> messages, Map<OutboxMessage, String> reasons) {
    Map<List<Object>, RefusedKey> keys = new LinkedHashMap<>();
    for (OutboxMessage message : messages) {
      keys.putIfAbsent(
          List.of(message.home(), message.topic(), message.key()),
          new RefusedKey(
              message.home(),
              message.topic(),
              message.key(),
              Objects.requireNonNull(reasons.get(message))));
    }
    return List.copyOf(keys.values());
  }

  /// A change of rows whose lease is still held.
  private interface Change {
    void apply(Tx tx, List<OutboxMessage> messages) throws SQLException;
  }

  /// Changes the rows of each shard in a transaction of its own that checks the leases.
  private Set<Lease> inLeases(Collection<Lease> leases, List<OutboxMessage> rows, Change change) {
    Set<Lease> lost = new HashSet<>();
    EachShard.map(
            database.shards().split(rows, OutboxMessage::home),
            messages -> inLeasesOfShard(leases, messages, change))
        .forEach(lost::addAll);
    return lost;
  }

  private Set<Lease> inLeasesOfShard(
      Collection<Lease> leases, List<OutboxMessage> rows, Change change) {
    Set<Integer> touched = groups(rows);
    List<Lease> needed = leases.stream().filter(lease -> touched.contains(lease.group())).toList();
    return database.inTransaction(
        tx -> {
          Set<Lease> lost = Lease.lost(tx, needed);
          Set<Integer> held = needed.stream().map(Lease::group).collect(Collectors.toSet());
          lost.forEach(lease -> held.remove(lease.group()));
          tx.forceCustomPlans();
          change.apply(tx, rows.stream().filter(row -> held.contains(row.home().group())).toList());
          return lost;
        });
  }

  private static Set<Integer> groups(Collection<OutboxMessage> messages) {
    return messages.stream().map(message -> message.home().group()).collect(Collectors.toSet());
  }

  private void countBlocked(Set<Integer> groups) {
    Map<Integer, Integer> counts = new HashMap<>();
    database.read(
        tx -> {
          counts.clear();
          tx.sql(COUNT_BLOCKED)
              .ints(List.copyOf(groups), Integer::intValue)
              .each(row -> counts.put(row.intAt(1), row.intAt(2)));
          return true;
        });
    groups.forEach(group -> blocked.set(group, counts.getOrDefault(group, 0)));
  }

  private static OutboxMessage message(Row row) throws SQLException {
    return new OutboxMessage(
        row.homeAt(1), row.longAt(2), row.textAt(3), row.textAt(4), row.bytesAt(5));
  }

  /// The rows of a round: a fair share of rows and bytes for each queue, which is a group of homes, or on distributed
  /// tables a home. A round that is full leaves the others to the next one.
  private static final class FairShare {
    private final int rowsOfQueue;
    private final int bytesOfQueue;
    private final Set<Integer> requested;
    private final ToIntFunction<Home> queue;
    private final List<OutboxMessage> messages = new ArrayList<>();
    private final Set<Integer> more = new HashSet<>();
    private final Map<Integer, Integer> rows = new TreeMap<>();
    private final Map<Integer, Integer> bytes = new TreeMap<>();
    private int allBytes;

    FairShare(int busy, Set<Integer> groups, ToIntFunction<Home> queue) {
      this.rowsOfQueue = MAX_BATCH_ROWS / busy;
      this.bytesOfQueue = MAX_BATCH_BYTES / busy;
      this.requested = groups;
      this.queue = queue;
    }

    /// Adds the next row of its queue, unless the queue has its share. Returns whether there is capacity for more rows.
    synchronized boolean add(OutboxMessage message) {
      add(message, queue.applyAsInt(message.home()));
      return !isFull();
    }

    /// Adds the rows of other queues.
    synchronized void addAll(FairShare others) {
      more.addAll(others.more);
      for (OutboxMessage message : others.messages) {
        if (!add(message)) {
          return;
        }
      }
    }

    private void add(OutboxMessage message, int number) {
      if (bytes.getOrDefault(number, 0) >= bytesOfQueue) {
        more.add(message.home().group());
        return;
      }
      messages.add(message);
      allBytes += message.payload().length;
      bytes.merge(number, message.payload().length, Integer::sum);
      if (rows.merge(number, 1, Integer::sum) == rowsOfQueue) {
        more.add(message.home().group());
      }
    }

    synchronized boolean isFull() {
      return messages.size() >= MAX_ROUND_ROWS || allBytes >= MAX_ROUND_BYTES;
    }

    synchronized int queues() {
      return isFull() ? Math.max(requested.size(), rows.size()) : rows.size();
    }

    synchronized OutboxBatch oldest() {
      messages.sort(Comparator.comparingLong(OutboxMessage::seq));
      return new OutboxBatch(messages, isFull() ? Set.copyOf(requested) : more);
    }
  }
}
