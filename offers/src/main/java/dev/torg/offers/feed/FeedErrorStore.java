package dev.torg.offers.feed;

import dev.torg.offers.feed.format.FeedEntry;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/// Stores the errors of items. The same error of the same item is stored once, so a repeated upload does
/// not count it again.
final class FeedErrorStore {
  private static final BatchSql<TaskFailure> ADD =
      BatchColumns.of(TaskFailure::home)
          .ints("line", error -> error.failure().line())
          .longs("fingerprint", error -> error.failure().fingerprint())
          .texts("external_id", error -> error.failure().externalId())
          .texts("code", error -> error.failure().code())
          .texts("message", error -> error.failure().message())
          .sql(
              """
              INSERT INTO feed_error
                (home, seller, task_id, line, fingerprint, external_id, code, message)
              SELECT k.home, ?, ?, k.line, k.fingerprint, k.external_id, k.code, k.message
                FROM :rows(k)
               ORDER BY k.line, k.fingerprint
              ON CONFLICT DO NOTHING
              RETURNING line
              """);

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

  private record TaskFailure(Home home, FeedEntry.Invalid failure) {}

  /// Returns how many were new.
  int add(Tx tx, StoredFeedTask.Key task, List<FeedEntry.Invalid> failures) throws SQLException {
    Home home = task.home();
    return tx.sql(ADD, failures.stream().map(failure -> new TaskFailure(home, failure)).toList())
        .set(task.seller())
        .set(task.taskId())
        .list(row -> row.intAt(1))
        .size();
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
