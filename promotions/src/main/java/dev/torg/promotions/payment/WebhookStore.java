package dev.torg.promotions.payment;

import com.google.protobuf.ByteString;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Tx;
import dev.torg.promotions.PaymentId;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// SQL over received webhooks. One that repeats an event is not inserted.
final class WebhookStore {
  /// How long the process that received a webhook has to process it, before a job does.
  static final Duration PROCESSING_TIME = Duration.ofSeconds(10);

  private static final Comparator<WebhookKey> BY_KEY =
      Comparator.comparing(WebhookKey::home)
          .thenComparing(WebhookKey::provider)
          .thenComparing(WebhookKey::eventId);

  private static final BatchSql<ReceivedWebhook> INSERT =
      BatchColumns.<ReceivedWebhook>of(webhook -> webhook.key().home())
          .texts("provider", webhook -> webhook.key().provider())
          .texts("event_id", webhook -> webhook.key().eventId())
          .texts("payment_id", webhook -> webhook.payment().map(PaymentId::text).orElse(null))
          .instants("received_at", ReceivedWebhook::at)
          .instants("retry_at", webhook -> webhook.at().plus(PROCESSING_TIME))
          .bytes("body", webhook -> webhook.body().toByteArray())
          .sql(
              """
              INSERT INTO payment_webhook
                     (home, provider, event_id, payment_id, received_at, retry_at, attempts, outcome, body)
              SELECT k.home, k.provider, k.event_id, k.payment_id, k.received_at, k.retry_at, 0, 0, k.body
                FROM :rows(k)
               ORDER BY k.home, k.provider, k.event_id
              ON CONFLICT (home, provider, event_id) DO NOTHING
              RETURNING home, provider, event_id
              """);

  private static final BatchColumns<WebhookKey> KEYS =
      BatchColumns.of(WebhookKey::home)
          .texts("provider", WebhookKey::provider)
          .texts("event_id", WebhookKey::eventId);

  private static final BatchSql<WebhookKey> FIND =
      KEYS.sql(
          """
          SELECT w.home, w.provider, w.event_id FROM :batch(k)
            JOIN payment_webhook w
              ON w.home = k.home AND w.provider = k.provider AND w.event_id = k.event_id
           WHERE :shard(w)
          """);

  /// A webhook and what became of it.
  ///
  /// @param retryAt when it is processed again; null if never
  record Processed(
      WebhookKey key, ReportOutcome outcome, int attempts, @Nullable Instant retryAt) {}

  /// Only those that were not processed: a second process changes nothing.
  private static final BatchSql<Processed> MARK =
      BatchColumns.<Processed>of(processed -> processed.key().home())
          .texts("provider", processed -> processed.key().provider())
          .texts("event_id", processed -> processed.key().eventId())
          .ints("outcome", processed -> processed.outcome().number())
          .ints("attempts", Processed::attempts)
          .instants("retry_at", Processed::retryAt)
          .sql(
              """
              UPDATE payment_webhook w
                 SET outcome = k.outcome, attempts = k.attempts, retry_at = k.retry_at,
                     processed_at = CASE WHEN k.retry_at IS NULL THEN ?::timestamptz END
                FROM :batch(k)
               WHERE w.home = k.home AND w.provider = k.provider AND w.event_id = k.event_id
                 AND w.retry_at IS NOT NULL AND :shard(w)
              """);

  private static final BatchSql<Home> HOMES_DUE =
      BatchColumns.<Home>of(home -> home)
          .sql(
              """
              SELECT k.home FROM :rows(k)
               WHERE EXISTS (SELECT FROM payment_webhook w
                              WHERE w.home = k.home AND w.retry_at <= ? AND :shard(w))
              """);

  private static final String DUE =
      """
      SELECT home, provider, event_id, payment_id, received_at, attempts, body FROM payment_webhook
       WHERE home = ? AND retry_at <= ? ORDER BY retry_at, provider, event_id LIMIT ?
      """;

  private static final String PURGE =
      """
      DELETE FROM payment_webhook WHERE home = ? AND (provider, event_id) IN (
        SELECT provider, event_id FROM payment_webhook WHERE home = ? AND processed_at < ? LIMIT ?)
      """;

  /// Returns those that are new.
  Set<WebhookKey> insert(Tx tx, List<ReceivedWebhook> webhooks) throws SQLException {
    return new HashSet<>(
        tx.sql(INSERT, webhooks)
            .list(row -> new WebhookKey(row.homeAt(1), row.textAt(2), row.textAt(3))));
  }

  Set<WebhookKey> existing(Tx tx, List<WebhookKey> keys) throws SQLException {
    return new HashSet<>(
        tx.sql(FIND, keys)
            .list(row -> new WebhookKey(row.homeAt(1), row.textAt(2), row.textAt(3))));
  }

  void mark(Tx tx, Collection<Processed> processed, Instant now) throws SQLException {
    List<Processed> sorted =
        processed.stream().sorted(Comparator.comparing(Processed::key, BY_KEY)).toList();
    tx.sql(MARK, sorted).set(now).update();
  }

  List<Home> homesDue(Tx tx, List<Home> homes, Instant now) throws SQLException {
    return tx.sql(HOMES_DUE, homes).set(now).list(row -> row.homeAt(1));
  }

  List<ReceivedWebhook> due(Tx tx, Home home, Instant now, int limit) throws SQLException {
    return tx.sql(DUE)
        .set(home)
        .set(now)
        .set(limit)
        .list(
            row ->
                new ReceivedWebhook(
                    new WebhookKey(row.homeAt(1), row.textAt(2), row.textAt(3)),
                    row.optionalTextAt(4).map(PaymentId::new),
                    row.instantAt(5),
                    ByteString.copyFrom(row.bytesAt(7)),
                    row.intAt(6)));
  }

  int purge(Tx tx, Home home, Instant before, int limit) throws SQLException {
    return tx.sql(PURGE).set(home).set(home).set(before).set(limit).update();
  }
}
