package dev.torg.promotions.provider.sandbox;

import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/// SQL over the queue of webhook calls. Only the job that holds the lease of a home changes rows there.
final class SandboxWebhookStore {
  private static final BatchColumns<SandboxWebhook> KEY =
      BatchColumns.of(SandboxWebhook::home)
          .texts("event_id", SandboxWebhook::eventId)
          .ints("copy", SandboxWebhook::copy);

  private static final BatchColumns<SandboxWebhook> DUE_COLUMNS =
      KEY.ints("attempts", SandboxWebhook::attempts).instants("due_at", SandboxWebhook::dueAt);

  private static final BatchSql<SandboxWebhook> ADD =
      DUE_COLUMNS
          .texts("body", SandboxWebhook::body)
          .sql(
              """
              INSERT INTO sandbox_webhook (home, event_id, copy, attempts, due_at, body)
              SELECT k.home, k.event_id, k.copy, k.attempts, k.due_at, k.body FROM :rows(k)
               ORDER BY k.home, k.event_id, k.copy
              """);

  private static final BatchSql<SandboxWebhook> DELETE =
      KEY.sql(
          """
          DELETE FROM sandbox_webhook w USING :batch(k)
           WHERE w.home = k.home AND w.event_id = k.event_id AND w.copy = k.copy AND :shard(w)
          """);

  private static final BatchSql<SandboxWebhook> DEFER =
      DUE_COLUMNS.sql(
          """
          UPDATE sandbox_webhook w SET attempts = k.attempts, due_at = k.due_at FROM :batch(k)
           WHERE w.home = k.home AND w.event_id = k.event_id AND w.copy = k.copy AND :shard(w)
          """);

  private static final String DUE =
      """
      SELECT home, event_id, copy, attempts, due_at, body FROM sandbox_webhook
       WHERE home = ? AND due_at <= ? ORDER BY due_at, event_id, copy LIMIT ?
      """;

  /// One index lookup per home, however many rows are due there.
  private static final BatchSql<Home> HOMES_DUE =
      BatchColumns.<Home>of(home -> home)
          .sql(
              """
              SELECT k.home FROM :rows(k)
               WHERE EXISTS (SELECT FROM sandbox_webhook w
                              WHERE w.home = k.home AND w.due_at <= ? AND :shard(w))
              """);

  void add(Tx tx, List<SandboxWebhook> webhooks) throws SQLException {
    tx.sql(ADD, webhooks).update();
  }

  void delete(Tx tx, List<SandboxWebhook> webhooks) throws SQLException {
    tx.sql(DELETE, webhooks).update();
  }

  /// Stores attempts and the next time.
  void defer(Tx tx, List<SandboxWebhook> webhooks) throws SQLException {
    tx.sql(DEFER, webhooks).update();
  }

  List<Home> homesDue(Tx tx, List<Home> homes, Instant now) throws SQLException {
    return tx.sql(HOMES_DUE, homes).set(now).list(row -> row.homeAt(1));
  }

  List<SandboxWebhook> due(Tx tx, Home home, Instant now, int limit) throws SQLException {
    return tx.sql(DUE)
        .set(home)
        .set(now)
        .set(limit)
        .list(
            row ->
                new SandboxWebhook(
                    row.homeAt(1),
                    row.textAt(2),
                    row.intAt(3),
                    row.intAt(4),
                    row.instantAt(5),
                    row.textAt(6)));
  }
}
