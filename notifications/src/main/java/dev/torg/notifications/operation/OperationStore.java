package dev.torg.notifications.operation;

import dev.torg.api.v1.Notification;
import dev.torg.notifications.Channel;
import dev.torg.notifications.operation.OperationRows.Queued;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.StoredProto;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// SQL over the queue of operations.
///
/// A claim locks operations and skips those that another transaction has locked, so claims never wait for each other, and
/// inserts never wait for a claim. The transaction that claims holds the lease of the home's group; the login merge locks
/// all operations of an identity and so waits for claims in progress.
final class OperationStore {
  private static final BatchColumns<Home> HOMES = BatchColumns.<Home>of(home -> home);

  private static final BatchSql<Queued> INSERT =
      OperationRows.QUEUED.sql(
          """
          INSERT INTO delivery_operation
            (home, owner, notification_id, channel, topic, due_at, created_at, attempts, bulk, held,
             expires_at, campaign, source_id, min_app_version, ios_category, devices)
          SELECT k.home, k.owner, k.notification_id, k.channel, k.topic, k.due_at, k.created_at,
                 k.attempts, k.bulk, k.held, k.expires_at, k.campaign, k.source_id,
                 k.min_app_version, k.ios_category, k.devices
            FROM :rows(k)
          ON CONFLICT (home, owner, notification_id, channel) DO NOTHING
          """);

  /// One index lookup per home and kind.
  private static final BatchSql<Home> HOMES_DUE =
      HOMES.sql(
          """
          SELECT k.home FROM :rows(k)
           WHERE EXISTS (SELECT FROM delivery_operation o
                          WHERE o.home = k.home AND o.channel = ? AND NOT o.bulk
                            AND o.due_at <= ? AND :shard(o))
              OR EXISTS (SELECT FROM delivery_operation b
                          WHERE b.home = k.home AND b.channel = ? AND b.bulk
                            AND b.due_at <= ? AND :shard(b))
          """);

  private static final String QUEUE =
      """
      SELECT count(*), min(o.due_at) FROM delivery_operation o
       WHERE o.home = ANY (?::int[]) AND o.channel = ? AND o.resume_at IS NULL
      """;

  /// The oldest operations of each home. An entry that does not exist any more is null.
  private static final BatchSql<Home> CLAIM =
      HOMES.sql(
          """
          SELECT %s, n.key, n.read, n.body
            FROM :rows(k)
            CROSS JOIN LATERAL (
              SELECT d.* FROM delivery_operation d
               WHERE d.home = k.home AND d.channel = ? AND d.bulk = ? AND d.due_at <= ? AND :shard(d)
               ORDER BY d.due_at, d.owner LIMIT ? FOR UPDATE SKIP LOCKED) o
            LEFT JOIN notification n
              ON n.home = o.home AND n.owner = o.owner AND n.id = o.notification_id AND :shard(n)
           ORDER BY o.due_at, o.owner, o.notification_id
          """
              .formatted(OperationRows.SELECTED));

  private static final String CLAIM_HELD =
      """
      SELECT %s, n.key, n.read, n.body
        FROM delivery_operation o
        LEFT JOIN notification n
          ON n.home = o.home AND n.owner = o.owner AND n.id = o.notification_id
       WHERE o.home = ? AND o.owner = ? AND o.channel = ? AND o.held AND o.due_at <= ?
         AND o.notification_id <> ALL (?::bigint[])
       ORDER BY o.due_at, o.notification_id LIMIT ? FOR UPDATE OF o SKIP LOCKED
      """
          .formatted(OperationRows.SELECTED);

  private static final BatchSql<DeliveryOperation> DELETE =
      OperationRows.KEYS.sql(
          """
          DELETE FROM delivery_operation o USING :batch(k)
           WHERE o.home = k.home AND o.owner = k.owner AND o.notification_id = k.notification_id
             AND o.channel = k.channel AND :shard(o)
          """);

  /// Never earlier.
  private static final BatchSql<Queued> HOLD =
      OperationRows.QUEUED.sql(
          """
          UPDATE delivery_operation o SET due_at = greatest(o.due_at, k.due_at), held = true
            FROM :batch(k)
           WHERE o.home = k.home AND o.owner = k.owner AND o.notification_id = k.notification_id
             AND o.channel = k.channel AND :shard(o)
          """);

  private static final String PARK =
      """
      UPDATE delivery_operation SET resume_at = due_at, due_at = 'infinity'
       WHERE home = ? AND owner = ? AND resume_at IS NULL
      """;

  private static final String RESUME =
      """
      UPDATE delivery_operation SET due_at = resume_at, resume_at = NULL
       WHERE home = ? AND owner = ? AND resume_at IS NOT NULL
      """;

  private static final String PARKED =
      """
      SELECT %s, o.resume_at FROM delivery_operation o
       WHERE o.home = ? AND o.owner = ? AND o.resume_at IS NOT NULL
         AND o.notification_id = ANY (?::bigint[])
      """
          .formatted(OperationRows.SELECTED);

  private static final String REMOVE_OF_ENTRIES =
      "DELETE FROM delivery_operation WHERE home = ? AND owner = ? AND notification_id = ANY (?::bigint[])";

  private static final String LOCK_OF_OWNER =
      """
      SELECT notification_id FROM delivery_operation WHERE home = ? AND owner = ?
       ORDER BY notification_id, channel FOR UPDATE
      """;

  /// An operation that is due, with its entry unless that was withdrawn.
  record Due(DeliveryOperation operation, Optional<Entry> entry) {}

  /// What an operation delivers.
  ///
  /// @param key identifies the entry among its owner's, also after a login merge
  record Entry(String key, boolean isRead, Notification content) {}

  void insert(Tx tx, List<Queued> queued) throws SQLException {
    tx.sql(INSERT, queued).update();
  }

  /// Homes with operations that are due.
  List<Home> homesDue(Tx tx, List<Home> homes, Channel channel, Instant now) throws SQLException {
    return tx.sql(HOMES_DUE, homes)
        .set(channel.name())
        .set(now)
        .set(channel.name())
        .set(now)
        .list(row -> row.homeAt(1));
  }

  /// @param oldestDue the time at which the first operation is or was due
  record Queue(long size, Optional<Instant> oldestDue) {}

  Queue queue(Tx tx, List<Home> homes, Channel channel) throws SQLException {
    return tx.sql(QUEUE)
        .homes(homes, home -> home)
        .set(channel.name())
        .first(row -> new Queue(row.longAt(1), row.optionalInstantAt(2)))
        .orElseThrow();
  }

  /// Locks the oldest due operations of each home, which are of one shard.
  List<Due> claim(Tx tx, List<Home> homes, Channel channel, boolean bulk, Instant now, int perHome)
      throws SQLException {
    return tx.sql(CLAIM, homes)
        .set(channel.name())
        .set(bulk)
        .set(now)
        .set(perHome)
        .list(OperationStore::due);
  }

  /// Locks further held operations of an owner.
  List<Due> claimHeld(Tx tx, DeliveryOperation last, long[] claimed, Instant now, int limit)
      throws SQLException {
    return tx.sql(CLAIM_HELD)
        .set(last.home())
        .set(last.owner())
        .set(last.channel().name())
        .set(now)
        .longs(claimed)
        .set(limit)
        .list(OperationStore::due);
  }

  void delete(Tx tx, List<DeliveryOperation> operations) throws SQLException {
    tx.sql(DELETE, operations).update();
  }

  void hold(Tx tx, List<Queued> held) throws SQLException {
    tx.sql(HOLD, held).update();
  }

  /// Prevents claims of all operations of an owner, and waits for those in progress.
  void park(Tx tx, String owner) throws SQLException {
    tx.sql(PARK).set(Home.of(owner)).set(owner).update();
  }

  /// Makes parked operations due as before.
  void resume(Tx tx, String owner) throws SQLException {
    tx.sql(RESUME).set(Home.of(owner)).set(owner).update();
  }

  /// The parked operations of some entries, with the time at which they would be due.
  List<Queued> parked(Tx tx, String owner, long[] notificationIds) throws SQLException {
    return tx.sql(PARKED)
        .set(Home.of(owner))
        .set(owner)
        .longs(notificationIds)
        .list(
            row ->
                new Queued(
                    OperationRows.operation(row), row.instantAt(OperationRows.SELECTED_COUNT + 1)));
  }

  void removeOfEntries(Tx tx, String owner, long[] notificationIds) throws SQLException {
    tx.sql(REMOVE_OF_ENTRIES).set(Home.of(owner)).set(owner).longs(notificationIds).update();
  }

  /// Waits for claims of the owner's operations, and prevents new ones until the transaction ends.
  void lockOfOwner(Tx tx, String owner) throws SQLException {
    tx.sql(LOCK_OF_OWNER).set(Home.of(owner)).set(owner).each(_ -> {});
  }

  private static Due due(Row row) throws SQLException {
    int key = OperationRows.SELECTED_COUNT + 1;
    DeliveryOperation operation = OperationRows.operation(row);
    if (row.isNullAt(key)) {
      return new Due(operation, Optional.empty());
    }
    Notification content =
        StoredProto.parse(Notification.parser(), row.bytesAt(key + 2), "notification");
    return new Due(
        operation, Optional.of(new Entry(row.textAt(key), row.booleanAt(key + 1), content)));
  }
}
