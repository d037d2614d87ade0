package dev.torg.offers.archive;

import dev.torg.platform.OfferId;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Keeps the bodies of offers that are over, in partitions by the month of their move. An offer
/// moves, and comes back, under the lock of its main row.
public final class ArchiveStore {
  private static final String READ =
      """
      SELECT a.id, a.body FROM unnest(?::int[], ?::bigint[], ?::date[]) AS k (home, id, month)
        JOIN offer_archive a ON a.home = k.home AND a.id = k.id AND a.month = k.month
         AND a.kind = 'offer'
      """;

  private static final String BRING_BACK =
      """
      WITH back AS (
        DELETE FROM offer_archive a USING unnest(?::int[], ?::bigint[], ?::date[])
            AS k (home, id, month)
         WHERE a.home = k.home AND a.id = k.id AND a.month = k.month
        RETURNING a.home, a.id, a.kind, a.version, a.seq, a.body)
      INSERT INTO offer (home, id, kind, version, seq, body)
      SELECT home, id, kind, version, seq, body FROM back WHERE kind <> 'offer'
      """;

  /// Whoever writes a stage holds the main row by its key; this lock waits for them.
  private static final String LOCK_DUE =
      """
      SELECT id FROM offer
       WHERE home = ? AND kind = 'offer' AND due_at <= ? AND status = ANY (?) AND archived IS NULL
       ORDER BY home, id LIMIT ? FOR UPDATE
      """;

  private static final String MOVE =
      """
      INSERT INTO offer_archive (home, month, id, kind, version, seq, body)
      SELECT o.home, ?, o.id, o.kind, o.version, o.seq, o.body
        FROM offer o WHERE o.home = ? AND o.id = ANY (?)
      """;

  private static final String DROP_PARTS =
      "DELETE FROM offer WHERE home = ? AND id = ANY (?) AND kind <> 'offer'";

  private static final String LEAVE_STUB =
      """
      UPDATE offer SET body = NULL, due_at = NULL, archived = ?
       WHERE home = ? AND id = ANY (?) AND kind = 'offer'
      """;

  /// An offer's place in the archive.
  public record Place(OfferId id, LocalDate month) {}

  /// The partition's month.
  public static LocalDate month(Instant now) {
    return LocalDate.ofInstant(now, ZoneOffset.UTC).withDayOfMonth(1);
  }

  public Map<OfferId, byte[]> read(Tx tx, List<Place> places) throws SQLException {
    Map<OfferId, byte[]> bodies = new HashMap<>();
    if (!places.isEmpty()) {
      keys(tx, READ, places).each(row -> bodies.put(new OfferId(row.longAt(1)), row.bytesAt(2)));
    }
    return bodies;
  }

  /// Puts an offer's parts back where they were; the main row is about to be written by the caller.
  public void bringBack(Tx tx, List<Place> places) throws SQLException {
    if (!places.isEmpty()) {
      keys(tx, BRING_BACK, places).update();
    }
  }

  private static dev.torg.platform.db.Sql keys(Tx tx, String sql, List<Place> places)
      throws SQLException {
    return tx.sql(sql)
        .homes(places, place -> place.id().home())
        .longs(places, place -> place.id().number())
        .texts(places, place -> place.month().toString());
  }
}
