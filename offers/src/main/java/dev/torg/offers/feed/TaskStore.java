package dev.torg.offers.feed;

import dev.torg.api.v1.FeedTask.Status;
import dev.torg.offers.feed.Task.Damage;
import dev.torg.platform.Home;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Sql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Keeps the tasks of sellers' feeds. Whoever begins, stops or closes one holds the seller's row; items
/// and removals add to a task's counts only while it takes them.
final class TaskStore {
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
      VALUES (?, ?, ?, 1, ?, ?)
      ON CONFLICT (home, seller, task_id)
      DO UPDATE SET status = 1, updated_at = EXCLUDED.updated_at,
                    message = CASE WHEN t.damage = 0 THEN '' ELSE t.message END
      """;

  /// A removal that has begun goes on.
  private static final String FAIL =
      """
      UPDATE feed_task
         SET status = 4, damage = greatest(damage, ?), message = ?, updated_at = ?
       WHERE home = ? AND seller = ? AND task_id = ? AND status <> 3 AND NOT removing
      """;

  private static final String MEND =
      """
      UPDATE feed_task SET damage = CASE damage WHEN 1 THEN 0 ELSE damage END, unread = '{}'
       WHERE home = ? AND seller = ? AND task_id = ? AND (damage = 1 OR unread <> '{}')
      """;

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

  private static final String UNREAD =
      """
      SELECT unread[1] FROM feed_task
       WHERE home = ? AND seller = ? AND task_id = ? AND unread <> '{}'
      """;

  private static final String SET =
      """
      UPDATE feed_task SET status = ?, removing = ?, message = ?, updated_at = ?
       WHERE home = ? AND seller = ? AND task_id = ? AND status <> 3
      """;

  /// Tasks below one that was closed are over, however far they came.
  private static final String OVERTAKE =
      """
      UPDATE feed_task SET status = 4, removing = false, message = ?, updated_at = ?
       WHERE home = ? AND seller = ? AND task_id < ? AND status IN (1, 2) AND NOT removing
      """;

  private static final String ADD =
      """
      UPDATE feed_task
         SET created = created + ?, updated = updated + ?, unchanged = unchanged + ?,
             removed = removed + ?, failed = failed + ?, ignored = ignored + ?,
             duplicates = duplicates + ?, errors = errors + ?, updated_at = ?
       WHERE home = ? AND seller = ? AND task_id = ? AND status = 1 AND removing = ?
      """;

  private static final String PHOTOS_FAILED =
      """
      INSERT INTO feed_photos AS p (home, seller, task_id, failed)
      SELECT k.home, k.seller, k.task_id, k.failed
        FROM unnest(?::int[], ?::text[], ?::bigint[], ?::int[]) AS k (home, seller, task_id, failed)
       ORDER BY k.home, k.seller, k.task_id
      ON CONFLICT (home, seller, task_id) DO UPDATE SET failed = p.failed + EXCLUDED.failed
      """;

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

  private static final String PAGE =
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

  /// The last closed task is kept for good: its number says what is still taken.
  private static final String FORGET =
      """
      DELETE FROM feed_task t USING feed_seller s
       WHERE t.home = ? AND s.home = t.home AND s.seller = t.seller AND t.task_id < s.closed
         AND t.updated_at < ? AND t.status <> 1
      """;

  private static final String FORGET_PHOTOS =
      """
      DELETE FROM feed_photos p
       WHERE p.home = ? AND NOT EXISTS (
         SELECT FROM feed_task t
          WHERE t.home = p.home AND t.seller = p.seller AND t.task_id = p.task_id)
      """;

  /// What a seller's feeds have in common.
  record Seller(int uploads, long closed) {}

  /// Photos of a task that failed.
  record FailedPhotos(Task.Key task, int count) {}

  Seller lockSeller(Tx tx, String seller, int moreUploads) throws SQLException {
    return tx.sql(LOCK_SELLER)
        .set(Home.of(seller))
        .set(seller)
        .set(moreUploads)
        .first(row -> new Seller(row.intAt(1), row.longAt(2)))
        .orElseThrow();
  }

  void begin(Tx tx, Task.Key task, Instant now) throws SQLException {
    key(tx.sql(BEGIN), task).set(now).set(now).update();
  }

  void set(Tx tx, Task.Key task, Status status, boolean removing, String message, Instant now)
      throws SQLException {
    Sql sql = tx.sql(SET).set(status.getNumber()).set(removing).set(message).set(now);
    key(sql, task).update();
  }

  /// An upload could not be read to its end.
  void fail(Tx tx, Task.Key task, Damage damage, String message, Instant now) throws SQLException {
    key(tx.sql(FAIL).set(damage.number()).set(message).set(now), task).update();
  }

  /// An upload that begins with this item is under way.
  void opened(Tx tx, Task.Key task, String first) throws SQLException {
    key(tx.sql(OPENED).set(first), task).set(first).update();
  }

  /// An upload that begins with this item was read to its end.
  void read(Tx tx, Task.Key task, String first) throws SQLException {
    key(tx.sql(READ).set(first), task).update();
  }

  /// What an upload begins with that is under way or was cut off.
  Optional<String> unread(Tx tx, Task.Key task) throws SQLException {
    return key(tx.sql(UNREAD), task).first(row -> row.textAt(1));
  }

  /// An upload of the whole feed was read to its end.
  void mend(Tx tx, Task.Key task) throws SQLException {
    key(tx.sql(MEND), task).update();
  }

  void close(Tx tx, Task.Key task, String toOlder, Instant now) throws SQLException {
    key(tx.sql(CLOSE).set(task.taskId()), task).update();
    key(tx.sql(OVERTAKE).set(toOlder).set(now), task).update();
  }

  /// Whether the task takes items, or removals, at this moment; else nothing is added.
  boolean add(Tx tx, Task.Key task, Counts counts, int errors, boolean removing, Instant now)
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
    tx.sql(PHOTOS_FAILED)
        .homes(failed, one -> one.task().home())
        .texts(failed, one -> one.task().seller())
        .longs(failed, one -> one.task().taskId())
        .ints(failed, FailedPhotos::count)
        .update();
  }

  Optional<Task> find(Tx tx, Task.Key task) throws SQLException {
    return key(tx.sql(FIND), task).first(TaskStore::task);
  }

  /// Those up to the given one, newest first.
  List<Task> page(Tx tx, String seller, long newest, int size) throws SQLException {
    return key(tx.sql(PAGE), new Task.Key(seller, newest)).set(size).list(TaskStore::task);
  }

  int errors(Tx tx, Task.Key task) throws SQLException {
    return key(tx.sql(ERRORS), task).first(row -> row.intAt(1)).orElse(0);
  }

  /// Removals that nobody has worked on since the given time.
  List<Task.Key> stalled(Tx tx, Home home, Instant before, int limit) throws SQLException {
    return tx.sql(STALLED)
        .set(home)
        .set(before)
        .set(limit)
        .list(row -> new Task.Key(row.textAt(1), row.longAt(2)));
  }

  List<Home> homesStalled(Tx tx, List<Home> homes, Instant before) throws SQLException {
    return tx.sql(HOMES_STALLED).ints(homes, Home::number).set(before).list(row -> row.homeAt(1));
  }

  int forget(Tx tx, Home home, Instant before) throws SQLException {
    int forgotten = tx.sql(FORGET).set(home).set(before).update();
    if (forgotten > 0) {
      tx.sql(FORGET_PHOTOS).set(home).update();
    }
    return forgotten;
  }

  private static Sql key(Sql sql, Task.Key task) throws SQLException {
    return sql.set(task.home()).set(task.seller()).set(task.taskId());
  }

  private static Task task(Row row) throws SQLException {
    return new Task(
        new Task.Key(row.textAt(1), row.longAt(2)),
        Status.forNumber(row.intAt(3)),
        row.booleanAt(4),
        new Counts(
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
        Damage.ofNumber(row.intAt(16)));
  }
}
