package dev.torg.offers.stage;

import dev.torg.platform.OfferId;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.OutboxSequence;
import java.sql.SQLException;
import java.util.Optional;

/// Stores the stages of offers, each as a separate part. A writer holds a key-share lock of the main row,
/// which does not block writers of the offer; writers of stages of one offer block each other.
final class StageStore {
  /// Conflicts only with the job that archives the offer.
  private static final String LOCK_OFFER =
      """
      SELECT archived IS NOT NULL FROM offer WHERE home = ? AND id = ? AND kind = 'offer'
         FOR KEY SHARE
      """;

  /// Locks the row shared by the stages of an offer, which contains the `seq` of their last event.
  private static final String NEXT_SEQ =
      """
      INSERT INTO offer AS o (home, id, kind, version, seq, body) VALUES (?, ?, 'stages', 0, ?, '')
      ON CONFLICT (home, id, kind) DO UPDATE SET seq = greatest(EXCLUDED.seq, o.seq + %d)
      RETURNING seq
      """
          .formatted(OutboxSequence.STEP);

  private static final String SAVE =
      """
      INSERT INTO offer (home, id, kind, version, seq, body) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (home, id, kind)
      DO UPDATE SET version = EXCLUDED.version, seq = EXCLUDED.seq, body = EXCLUDED.body
      """;

  private static final String READ =
      """
      SELECT version, seq, body FROM offer WHERE home = ? AND id = ? AND kind = ?
      UNION ALL
      SELECT a.version, a.seq, a.body FROM offer o
        JOIN offer_archive a ON a.home = o.home AND a.id = o.id AND a.month = o.archived
       WHERE o.home = ? AND o.id = ? AND o.kind = 'offer' AND a.kind = ?
      """;

  @SuppressWarnings("ArrayRecordComponent")
  record StageRow(long version, long seq, byte[] data) {}

  /// Whether the offer is archived; empty if it does not exist.
  Optional<Boolean> lockOffer(Tx tx, OfferId offer) throws SQLException {
    return tx.sql(LOCK_OFFER).set(offer.home()).set(offer.number()).first(row -> row.booleanAt(1));
  }

  /// Locks the stages of the offer.
  long nextSeq(Tx tx, OfferId offer, long at) throws SQLException {
    return tx.sql(NEXT_SEQ)
        .set(offer.home())
        .set(offer.number())
        .set(OutboxSequence.odd(at))
        .list(row -> row.longAt(1))
        .getFirst();
  }

  void save(Tx tx, OfferId offer, String stage, StageRow row) throws SQLException {
    tx.sql(SAVE)
        .set(offer.home())
        .set(offer.number())
        .set(kind(stage))
        .set(row.version())
        .set(row.seq())
        .set(row.data())
        .update();
  }

  Optional<StageRow> read(Tx tx, OfferId offer, String stage) throws SQLException {
    return tx.sql(READ)
        .set(offer.home())
        .set(offer.number())
        .set(kind(stage))
        .set(offer.home())
        .set(offer.number())
        .set(kind(stage))
        .first(StageStore::stage);
  }

  private static String kind(String stage) {
    return "stage/" + stage;
  }

  private static StageRow stage(Row row) throws SQLException {
    return new StageRow(row.longAt(1), row.longAt(2), row.bytesAt(3));
  }
}
