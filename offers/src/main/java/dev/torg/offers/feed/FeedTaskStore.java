package dev.torg.offers.feed;

import dev.torg.api.v1.FeedTask.Status;
import dev.torg.offers.feed.StoredFeedTask.ReadFailure;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Sql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/// Stores the tasks of sellers' feeds. A transaction that begins, stops or closes a task holds the lock of
/// the seller's row; items and removals add to a task's counts only while it accepts them.
final class FeedTaskStore {
  private static final String LOCK_SELLER =
      """
      INSERT INTO feed_seller AS s (home, seller, uploads, closed) VALUES (?, ?, ?, 0)
      ON CONFLICT (home, seller) DO UPDATE SET uploads = s.uploads + EXCLUDED.uploads
      RETURNING uploads, closed
      """;

  private static final String CLOSE =
      "UPDATE feed_seller SET closed = ? WHERE home = ? AND seller = ? AND closed < ?";

  private static final String BEGIN =
      """
      INSERT INTO feed_task AS t (home, seller, task_id, status, started_at, updated_at)
      VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (home, seller, task_id)
      DO UPDATE SET status = EXCLUDED.status, updated_at = EXCLUDED.updated_at,
                    message = CASE WHEN t.damage = %d THEN '' ELSE t.message END
      """
          .formatted(ReadFailure.NONE.number());

  /// A removal that has begun continues.
  private static final String FAIL =
      """
      UPDATE feed_task
         SET status = %d, damage = greatest(damage, ?), message = ?, updated_at = ?
       WHERE home = ? AND seller = ? AND task_id = ? AND status <> %d AND NOT removing
      """
          .formatted(Status.FAILED_VALUE, Status.FINISHED_VALUE);

  private static final String CLEAR_READ_FAILURE =
      """
      UPDATE feed_task
         SET damage = CASE WHEN damage = %d THEN %d ELSE damage END, unread = '{}'
       WHERE home = ? AND seller = ? AND task_id = ? AND (damage = %d OR unread <> '{}')
      """
          .formatted(
              ReadFailure.WHOLE.number(), ReadFailure.NONE.number(), ReadFailure.WHOLE.number());

  private static final String OPENED =
      """
      UPDATE feed_task SET unread = array_append(unread, ?)
       WHERE home = ? AND seller = ? AND task_id = ? AND NOT ? = ANY (unread)
         AND cardinality(unread) < 1000
      """;

  private static final String READ =
      """
      UPDATE feed_task SET unread = array_remove(unread, ?)
       WHERE home = ? AND seller = ? AND task_id = ?
      """;

  private static final String SELECT_FIRST_UNFINISHED =
      """
      SELECT unread[1] FROM feed_task
       WHERE home = ? AND seller = ? AND task_id = ? AND unread <> '{}'
      """;

  private static final String SET =
      """
      UPDATE feed_task SET status = ?, removing = ?, message = ?, updated_at = ?
       WHERE home = ? AND seller = ? AND task_id = ? AND status <> %d
      """
          .formatted(Status.FINISHED_VALUE);

  private static final String LOCK =
      "SELECT updated_at FROM feed_task WHERE home = ? AND seller = ? AND task_id = ? FOR UPDATE";

  /// Tasks older than the closed one end, whatever their progress.
  private static final String LOCK_OPEN_BEFORE =
      """
      SELECT seller, task_id, updated_at FROM feed_task
       WHERE home = ? AND seller = ? AND task_id < ? AND status IN (%d, %d) AND NOT removing
       ORDER BY task_id FOR UPDATE
      """
          .formatted(Status.RUNNING_VALUE, Status.STOPPED_VALUE);

  private static final BatchSql<ReplacedTask> REPLACE =
      BatchColumns.<ReplacedTask>of(task -> task.key().home())
          .texts("seller", task -> task.key().seller())
          .longs("task_id", task -> task.key().taskId())
          .instants("at", ReplacedTask::at)
          .sql(
              """
              UPDATE feed_task t SET status = %d, removing = false, message = ?, updated_at = k.at
                FROM :batch(k)
               WHERE t.home = k.home AND t.seller = k.seller AND t.task_id = k.task_id AND :shard(t)
              """
                  .formatted(Status.FAILED_VALUE));

  private static final String ADD =
      """
      UPDATE feed_task
         SET created = created + ?, updated = updated + ?, unchanged = unchanged + ?,
             removed = removed + ?, failed = failed + ?, ignored = ignored + ?,
             duplicates = duplicates + ?, errors = errors + ?, updated_at = ?
       WHERE home = ? AND seller = ? AND task_id = ? AND status = %d AND removing = ?
      """
          .formatted(Status.RUNNING_VALUE);

  private static final BatchSql<FailedPhotos> PHOTOS_FAILED =
      BatchColumns.<FailedPhotos>of(photos -> photos.task().home())
          .texts("seller", photos -> photos.task().seller())
          .longs("task_id", photos -> photos.task().taskId())
          .ints("failed", FailedPhotos::count)
          .sql(
              """
              INSERT INTO feed_photos AS p (home, seller, task_id, failed)
              SELECT k.home, k.seller, k.task_id, k.failed FROM :rows(k)
               ORDER BY k.home, k.seller, k.task_id
              ON CONFLICT (home, seller, task_id) DO UPDATE SET failed = p.failed + EXCLUDED.failed
              """);

  private static final String COLUMNS =
      """
      SELECT t.seller, t.task_id, t.status, t.removing, t.created, t.updated, t.unchanged, t.removed,
             t.failed, t.ignored, t.duplicates, coalesce(p.failed, 0), t.message, t.started_at,
             t.updated_at, t.damage
        FROM feed_task t
        LEFT JOIN feed_photos p
               ON p.home = t.home AND p.seller = t.seller AND p.task_id = t.task_id
      """;

  private static final String FIND =
      COLUMNS + " WHERE t.home = ? AND t.seller = ? AND t.task_id = ?";

  private static final String SELECT_PAGE =
      COLUMNS
          + " WHERE t.home = ? AND t.seller = ? AND t.task_id <= ? ORDER BY t.task_id DESC LIMIT ?";

  private static final String ERRORS =
      "SELECT errors FROM feed_task WHERE home = ? AND seller = ? AND task_id = ?";

  private static final String STALLED =
      """
      SELECT seller, task_id FROM feed_task
       WHERE home = ? AND removing AND updated_at < ? ORDER BY updated_at LIMIT ?
      """;

  private static final String HOMES_STALLED =
      """
      SELECT DISTINCT home FROM feed_task
       WHERE home = ANY (?::int[]) AND removing AND updated_at < ?
      """;

  /// The last closed task is never deleted: later tasks need a higher number.
  private static final String DELETE_OLD =
      """
      DELETE FROM feed_task t USING feed_seller s
       WHERE t.home = ? AND s.home = t.home AND s.seller = t.seller AND t.task_id < s.closed
         AND t.updated_at < ? AND t.status <> %d
      """
          .formatted(Status.RUNNING_VALUE);

  private static final String DELETE_PHOTO_FAILURES =
      """
      DELETE FROM feed_photos p
       WHERE p.home = ? AND NOT EXISTS (
         SELECT FROM feed_task t
          WHERE t.home = p.home AND t.seller = p.seller AND t.task_id = p.task_id)
      """;

  /// State shared by the feeds of a seller.
  record Seller(int uploads, long closed) {}

  /// Photos of a task that failed.
  record FailedPhotos(StoredFeedTask.Key task, int count) {}

  private record ReplacedTask(StoredFeedTask.Key key, Instant at) {}

  Seller lockSeller(Tx tx, String seller, int moreUploads) throws SQLException {
    return tx.sql(LOCK_SELLER)
        .set(Home.of(seller))
        .set(seller)
        .set(moreUploads)
        .first(row -> new Seller(row.intAt(1), row.longAt(2)))
        .orElseThrow();
  }

  void begin(Tx tx, StoredFeedTask.Key task, Instant now) throws SQLException {
    key(tx.sql(BEGIN), task).set(Status.RUNNING_VALUE).set(now).set(now).update();
  }

  /// Locks the task, and returns the given time or one later than the task's last change: times of changes that are
  /// announced strictly increase, even if clocks of machines differ.
  Instant laterThanLastChange(Tx tx, StoredFeedTask.Key task, Instant now) throws SQLException {
    Optional<Instant> last = key(tx.sql(LOCK), task).first(row -> row.instantAt(1));
    return last.map(at -> later(at, now)).orElse(now);
  }

  private static Instant later(Instant last, Instant now) {
    Instant next = last.plus(1, ChronoUnit.MICROS);
    return next.isAfter(now) ? next : now;
  }

  /// Returns whether the task was changed: one that is finished is not.
  boolean set(
      Tx tx, StoredFeedTask.Key task, Status status, boolean removing, String message, Instant now)
      throws SQLException {
    Sql sql = tx.sql(SET).set(status.getNumber()).set(removing).set(message).set(now);
    return key(sql, task).update() == 1;
  }

  /// An upload could not be read to its end. Returns whether the task was changed.
  boolean fail(Tx tx, StoredFeedTask.Key task, ReadFailure readFailure, String message, Instant now)
      throws SQLException {
    return key(tx.sql(FAIL).set(readFailure.number()).set(message).set(now), task).update() == 1;
  }

  /// An upload that begins with this item is in progress.
  void markOpen(Tx tx, StoredFeedTask.Key task, String first) throws SQLException {
    key(tx.sql(OPENED).set(first), task).set(first).update();
  }

  /// An upload that begins with this item was read to its end.
  void read(Tx tx, StoredFeedTask.Key task, String first) throws SQLException {
    key(tx.sql(READ).set(first), task).update();
  }

  /// The first item of an upload that is in progress or was interrupted.
  Optional<String> firstUnfinished(Tx tx, StoredFeedTask.Key task) throws SQLException {
    return key(tx.sql(SELECT_FIRST_UNFINISHED), task).first(row -> row.textAt(1));
  }

  /// An upload of the whole feed was read to its end.
  void clearReadFailure(Tx tx, StoredFeedTask.Key task) throws SQLException {
    key(tx.sql(CLEAR_READ_FAILURE), task).update();
  }

  /// Returns the older tasks that failed because of it.
  List<StoredFeedTask.Key> close(Tx tx, StoredFeedTask.Key task, String toOlder, Instant now)
      throws SQLException {
    key(tx.sql(CLOSE).set(task.taskId()), task).update();
    List<ReplacedTask> replaced =
        key(tx.sql(LOCK_OPEN_BEFORE), task)
            .list(
                row ->
                    new ReplacedTask(
                        new StoredFeedTask.Key(row.textAt(1), row.longAt(2)),
                        later(row.instantAt(3), now)));
    tx.sql(REPLACE, replaced).set(toOlder).update();
    return replaced.stream().map(ReplacedTask::key).toList();
  }

  /// Returns whether the task accepts items, or removals, now; otherwise nothing is added.
  boolean add(
      Tx tx, StoredFeedTask.Key task, FeedCounts counts, int errors, boolean removing, Instant now)
      throws SQLException {
    Sql sql =
        tx.sql(ADD)
            .set(counts.created())
            .set(counts.updated())
            .set(counts.unchanged())
            .set(counts.removed())
            .set(counts.failed())
            .set(counts.ignored())
            .set(counts.duplicates())
            .set(errors)
            .set(now);
    return key(sql, task).set(removing).update() == 1;
  }

  void addFailedPhotos(Tx tx, List<FailedPhotos> failed) throws SQLException {
    tx.sql(PHOTOS_FAILED, failed).update();
  }

  Optional<StoredFeedTask> find(Tx tx, StoredFeedTask.Key task) throws SQLException {
    return key(tx.sql(FIND), task).first(FeedTaskStore::task);
  }

  /// Tasks up to the given number, newest first.
  List<StoredFeedTask> page(Tx tx, String seller, long newest, int size) throws SQLException {
    return key(tx.sql(SELECT_PAGE), new StoredFeedTask.Key(seller, newest))
        .set(size)
        .list(FeedTaskStore::task);
  }

  int errors(Tx tx, StoredFeedTask.Key task) throws SQLException {
    return key(tx.sql(ERRORS), task).first(row -> row.intAt(1)).orElse(0);
  }

  /// Removals without progress since the given time.
  List<StoredFeedTask.Key> stalled(Tx tx, Home home, Instant before, int limit)
      throws SQLException {
    return tx.sql(STALLED)
        .set(home)
        .set(before)
        .set(limit)
        .list(row -> new StoredFeedTask.Key(row.textAt(1), row.longAt(2)));
  }

  List<Home> homesStalled(Tx tx, List<Home> homes, Instant before) throws SQLException {
    return tx.sql(HOMES_STALLED).ints(homes, Home::number).set(before).list(row -> row.homeAt(1));
  }

  int deleteOld(Tx tx, Home home, Instant before) throws SQLException {
    int deleted = tx.sql(DELETE_OLD).set(home).set(before).update();
    if (deleted > 0) {
      tx.sql(DELETE_PHOTO_FAILURES).set(home).update();
    }
    return deleted;
  }

  private static Sql key(Sql sql, StoredFeedTask.Key task) throws SQLException {
    return sql.set(task.home()).set(task.seller()).set(task.taskId());
  }

  private static StoredFeedTask task(Row row) throws SQLException {
    return new StoredFeedTask(
        new StoredFeedTask.Key(row.textAt(1), row.longAt(2)),
        Status.forNumber(row.intAt(3)),
        row.booleanAt(4),
        new FeedCounts(
            row.intAt(5),
            row.intAt(6),
            row.intAt(7),
            row.intAt(8),
            row.intAt(9),
            row.intAt(10),
            row.intAt(11)),
        row.intAt(12),
        row.textAt(13),
        row.instantAt(14),
        row.instantAt(15),
        ReadFailure.ofNumber(row.intAt(16)));
  }
}
