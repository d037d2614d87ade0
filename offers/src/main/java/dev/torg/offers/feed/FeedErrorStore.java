package dev.torg.offers.feed;

import dev.torg.offers.feed.format.FeedEntry;
import dev.torg.platform.Home;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/// Stores the errors of items. The same error of the same item is stored once, so a repeated upload does
/// not count it again.
final class FeedErrorStore {
  private static final String ADD =
      """
      INSERT INTO feed_error
        (home, seller, task_id, line, fingerprint, external_id, code, message)
      SELECT ?, ?, ?, k.line, k.fingerprint, k.external_id, k.code, k.message
        FROM unnest(?::int[], ?::bigint[], ?::text[], ?::text[], ?::text[])
          AS k (line, fingerprint, external_id, code, message)
       ORDER BY k.line, k.fingerprint
      ON CONFLICT DO NOTHING
      """;

  private static final String SELECT_PAGE =
      """
      SELECT line, fingerprint, external_id, code, message FROM feed_error
       WHERE home = ? AND seller = ? AND task_id = ? AND (line, fingerprint) > (?, ?)
       ORDER BY line, fingerprint LIMIT ?
      """;

  private static final String DELETE_OLD =
      """
      DELETE FROM feed_error e
       WHERE e.home = ? AND NOT EXISTS (
         SELECT FROM feed_task t
          WHERE t.home = e.home AND t.seller = e.seller AND t.task_id = e.task_id
            AND t.updated_at >= ?)
      """;

  /// Returns how many were new.
  int add(Tx tx, StoredFeedTask.Key task, List<FeedEntry.Invalid> failures) throws SQLException {
    return failures.isEmpty()
        ? 0
        : tx.sql(ADD)
            .set(task.home())
            .set(task.seller())
            .set(task.taskId())
            .ints(failures, FeedEntry.Invalid::line)
            .longs(failures, FeedEntry.Invalid::fingerprint)
            .texts(failures, FeedEntry.Invalid::externalId)
            .texts(failures, FeedEntry.Invalid::code)
            .texts(failures, FeedEntry.Invalid::message)
            .update();
  }

  List<FeedEntry.Invalid> page(Tx tx, StoredFeedTask.Key task, int line, long fingerprint, int size)
      throws SQLException {
    return tx.sql(SELECT_PAGE)
        .set(task.home())
        .set(task.seller())
        .set(task.taskId())
        .set(line)
        .set(fingerprint)
        .set(size)
        .list(
            row ->
                new FeedEntry.Invalid(
                    row.intAt(1), row.textAt(3), row.textAt(4), row.textAt(5), row.longAt(2)));
  }

  /// Deletes the errors of deleted tasks and of tasks without a change since the given time.
  int deleteOld(Tx tx, Home home, Instant before) throws SQLException {
    return tx.sql(DELETE_OLD).set(home).set(before).update();
  }
}
