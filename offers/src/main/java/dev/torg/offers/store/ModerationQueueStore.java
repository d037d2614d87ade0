package dev.torg.offers.store;

import dev.torg.platform.OfferId;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Stores the moderators' queue. An entry changes with its offer, by reports and by claims. Lock order:
/// docs/data-model.md#lock-order.
public final class ModerationQueueStore {
  private static final BatchSql<Waiting> ENTER =
      BatchColumns.<Waiting>of(waiting -> waiting.offer().home())
          .longs("id", waiting -> waiting.offer().number())
          .ints("causes", Waiting::causes)
          .instants("since", Waiting::since)
          .sql(
              """
              INSERT INTO moderation_queue AS q (home, offer_id, causes, since)
              SELECT k.home, k.id, k.causes, k.since FROM :rows(k)
               ORDER BY k.home, k.id
              ON CONFLICT (home, offer_id) DO UPDATE SET causes = q.causes | EXCLUDED.causes
              """);

  private static final BatchSql<OfferId> DELETE =
      BatchColumns.of(OfferId::home)
          .longs("id", OfferId::number)
          .sql(
              """
              DELETE FROM moderation_queue q USING :batch(k)
               WHERE q.home = k.home AND q.offer_id = k.id AND :shard(q)
              """);

  private static final String SELECT_PAGE =
      """
      SELECT offer_id, causes, since, reports, claimed_by, claimed_until FROM moderation_queue
       WHERE (since, home, offer_id) > (?, ?, ?) ORDER BY since, home, offer_id LIMIT ?
      """;

  private static final String UNCLAIMED =
      """
      SELECT offer_id, causes, since, reports, claimed_by, claimed_until FROM moderation_queue
       WHERE claimed_until IS NULL OR claimed_until <= ? ORDER BY since, home, offer_id LIMIT ?
      """;

  private static final String CLAIM =
      """
      UPDATE moderation_queue SET claimed_by = ?, claimed_until = ?
       WHERE home = ? AND offer_id = ? AND (claimed_until IS NULL OR claimed_until <= ?)
      RETURNING offer_id, causes, since, reports, claimed_by, claimed_until
      """;

  /// An offer in the queue, and the causes.
  public record Waiting(OfferId offer, int causes, Instant since) {}

  public record Entry(
      OfferId offer,
      int causes,
      Instant since,
      int reports,
      Optional<String> claimedBy,
      Optional<Instant> claimedUntil) {}

  public void enter(Tx tx, List<Waiting> waiting) throws SQLException {
    tx.sql(ENTER, waiting).update();
  }

  public void remove(Tx tx, List<OfferId> offers) throws SQLException {
    tx.sql(DELETE, offers).update();
  }

  /// Entries after the given position, oldest first.
  public List<Entry> page(Tx tx, Instant since, OfferId after, int size) throws SQLException {
    return tx.sql(SELECT_PAGE)
        .set(since)
        .set(after.home())
        .set(after.number())
        .set(size)
        .list(ModerationQueueStore::entry);
  }

  public List<Entry> unclaimed(Tx tx, Instant now, int size) throws SQLException {
    return tx.sql(UNCLAIMED).set(now).set(size).list(ModerationQueueStore::entry);
  }

  /// Empty if another moderator has claimed it.
  public Optional<Entry> claim(Tx tx, OfferId offer, String moderator, Instant now, Instant until)
      throws SQLException {
    return tx.sql(CLAIM)
        .set(moderator)
        .set(until)
        .set(offer.home())
        .set(offer.number())
        .set(now)
        .first(ModerationQueueStore::entry);
  }

  private static Entry entry(Row row) throws SQLException {
    return new Entry(
        new OfferId(row.longAt(1)),
        row.intAt(2),
        row.instantAt(3),
        row.intAt(4),
        row.optionalTextAt(5),
        row.optionalInstantAt(6));
  }
}
