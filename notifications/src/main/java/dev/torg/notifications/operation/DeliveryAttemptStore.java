package dev.torg.notifications.operation;

import dev.torg.notifications.Channel;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/// SQL over the record of attempts.
final class DeliveryAttemptStore {
  private static final BatchColumns<DeliveryAttempt> KEYS =
      BatchColumns.of(DeliveryAttempt::home)
          .texts("owner", DeliveryAttempt::owner)
          .longs("notification_id", DeliveryAttempt::notificationId)
          .texts("channel", attempt -> attempt.channel().name())
          .ints("attempt", DeliveryAttempt::number);

  private static final BatchColumns<DeliveryAttempt> OUTCOMES =
      KEYS.texts("outcome", attempt -> attempt.outcome().name())
          .texts("reason", DeliveryAttempt::reason);

  private static final BatchSql<DeliveryAttempt> PUT =
      OUTCOMES
          .instants("at", DeliveryAttempt::at)
          .texts("source_id", attempt -> attempt.sourceId().orElse(null))
          .sql(
              """
              INSERT INTO delivery_attempt
                (home, owner, notification_id, channel, attempt, outcome, reason, at, source_id)
              SELECT k.home, k.owner, k.notification_id, k.channel, k.attempt, k.outcome, k.reason,
                     k.at, k.source_id
                FROM :rows(k)
               ORDER BY k.home, k.notification_id, k.owner, k.channel, k.attempt
              ON CONFLICT (home, notification_id, owner, channel, attempt) DO UPDATE
                SET outcome = excluded.outcome, reason = excluded.reason, at = excluded.at
              """);

  /// An outcome is recorded once.
  private static final BatchSql<DeliveryAttempt> RECORD =
      OUTCOMES.sql(
          """
          UPDATE delivery_attempt a SET outcome = k.outcome, reason = k.reason
            FROM :batch(k)
           WHERE a.home = k.home AND a.notification_id = k.notification_id AND a.owner = k.owner
             AND a.channel = k.channel AND a.attempt = k.attempt AND a.outcome = 'SENDING'
             AND :shard(a)
          RETURNING a.owner, a.notification_id, a.channel, a.attempt
          """);

  private static final String COLUMNS =
      "a.owner, a.notification_id, a.channel, a.attempt, a.at, a.outcome, a.reason, a.source_id";

  private static final String BY_SOURCE =
      """
      SELECT %s FROM delivery_attempt a
       WHERE a.home = ANY (?::int[]) AND a.source_id = ? AND (? OR a.owner = ?)
       ORDER BY a.at DESC LIMIT ?
      """
          .formatted(COLUMNS);

  private static final String BY_NOTIFICATION =
      """
      SELECT %s FROM delivery_attempt a
       WHERE a.home = ANY (?::int[]) AND a.notification_id = ? AND (? OR a.owner = ?)
       ORDER BY a.at DESC LIMIT ?
      """
          .formatted(COLUMNS);

  private static final String OF_ENTRIES =
      """
      SELECT %s FROM delivery_attempt a
       WHERE a.home = ? AND a.owner = ? AND a.notification_id = ANY (?::bigint[])
      """
          .formatted(COLUMNS);

  private static final String REMOVE_OF_ENTRIES =
      """
      DELETE FROM delivery_attempt a
       WHERE a.home = ? AND a.owner = ? AND a.notification_id = ANY (?::bigint[])
      RETURNING %s
      """
          .formatted(COLUMNS);

  private static final String PURGE =
      """
      DELETE FROM delivery_attempt
       WHERE home = ? AND at <= (
         SELECT max(at) FROM (
           SELECT at FROM delivery_attempt WHERE home = ? AND at < ? ORDER BY at LIMIT ?) AS oldest)
      """;

  /// Identifies an attempt.
  record Key(String owner, long notificationId, Channel channel, int number) {
    static Key of(DeliveryAttempt attempt) {
      return new Key(
          attempt.owner(), attempt.notificationId(), attempt.channel(), attempt.number());
    }
  }

  void put(Tx tx, List<DeliveryAttempt> attempts) throws SQLException {
    tx.sql(PUT, attempts).update();
  }

  /// Records the outcomes of attempts, and returns those that had none.
  List<Key> record(Tx tx, List<DeliveryAttempt> attempts) throws SQLException {
    return tx.sql(RECORD, attempts)
        .list(
            row ->
                new Key(
                    row.textAt(1), row.longAt(2), Channel.valueOf(row.textAt(3)), row.intAt(4)));
  }

  /// Newest first.
  ///
  /// @param owner empty: of all
  List<DeliveryAttempt> bySource(Tx tx, List<Home> homes, String source, String owner, int limit)
      throws SQLException {
    return tx.sql(BY_SOURCE)
        .homes(homes, home -> home)
        .set(source)
        .set(owner.isEmpty())
        .set(owner)
        .set(limit)
        .list(DeliveryAttemptStore::attempt);
  }

  /// Newest first.
  ///
  /// @param owner empty: of all
  List<DeliveryAttempt> byNotification(
      Tx tx, List<Home> homes, long notificationId, String owner, int limit) throws SQLException {
    return tx.sql(BY_NOTIFICATION)
        .homes(homes, home -> home)
        .set(notificationId)
        .set(owner.isEmpty())
        .set(owner)
        .set(limit)
        .list(DeliveryAttemptStore::attempt);
  }

  List<DeliveryAttempt> ofEntries(Tx tx, String owner, long[] notificationIds) throws SQLException {
    return tx.sql(OF_ENTRIES)
        .set(Home.of(owner))
        .set(owner)
        .longs(notificationIds)
        .list(DeliveryAttemptStore::attempt);
  }

  List<DeliveryAttempt> removeOfEntries(Tx tx, String owner, long[] notificationIds)
      throws SQLException {
    return tx.sql(REMOVE_OF_ENTRIES)
        .set(Home.of(owner))
        .set(owner)
        .longs(notificationIds)
        .list(DeliveryAttemptStore::attempt);
  }

  /// Deletes about `limit` attempts of a home that are older, and returns their number.
  int purge(Tx tx, Home home, Instant before, int limit) throws SQLException {
    return tx.sql(PURGE).set(home).set(home).set(before).set(limit).update();
  }

  private static DeliveryAttempt attempt(Row row) throws SQLException {
    return new DeliveryAttempt(
        row.textAt(1),
        row.longAt(2),
        Channel.valueOf(row.textAt(3)),
        row.intAt(4),
        row.instantAt(5),
        AttemptOutcome.valueOf(row.textAt(6)),
        row.textAt(7),
        row.optionalTextAt(8));
  }
}
