package dev.torg.offers.stage;

import dev.torg.platform.OfferId;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.Optional;

/// Keeps the stages of offers, each a part of its own. A writer holds on to the main row's existence,
/// which hinders neither other stages nor the offer's own writers, and locks only its stage's row.
final class StageStore {
  /// The archiver alone waits for this lock, and is waited for.
  private static final String HOLD_OFFER =
      """
      SELECT archived IS NOT NULL FROM offer WHERE home = ? AND id = ? AND kind = 'offer'
         FOR KEY SHARE
      """;

  private static final String LOCK =
      """
      SELECT version, seq, body FROM offer WHERE home = ? AND id = ? AND kind = ? FOR UPDATE
      """;

  private static final String INSERT =
      """
      INSERT INTO offer (home, id, kind, version, seq, body) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING
      """;

  private static final String UPDATE =
      """
      UPDATE offer SET version = ?, seq = ?, body = ? WHERE home = ? AND id = ? AND kind = ?
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

  /// Whether the offer is archived; empty when there is none.
  Optional<Boolean> holdOffer(Tx tx, OfferId offer) throws SQLException {
    return tx.sql(HOLD_OFFER)
        .set(offer.home())
        .set(offer.number())
        .first(row -> row.booleanAt(1));
  }

  Optional<StageRow> lock(Tx tx, OfferId offer, String stage) throws SQLException {
    return tx.sql(LOCK)
        .set(offer.home())
        .set(offer.number())
        .set(kind(stage))
        .first(StageStore::stage);
  }

  /// False when somebody else was faster.
  boolean insert(Tx tx, OfferId offer, String stage, StageRow row) throws SQLException {
    return tx.sql(INSERT)
            .set(offer.home())
            .set(offer.number())
            .set(kind(stage))
            .set(row.version())
            .set(row.seq())
            .set(row.data())
            .update()
        == 1;
  }

  void update(Tx tx, OfferId offer, String stage, StageRow row) throws SQLException {
    tx.sql(UPDATE)
        .set(row.version())
        .set(row.seq())
        .set(row.data())
        .set(offer.home())
        .set(offer.number())
        .set(kind(stage))
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
