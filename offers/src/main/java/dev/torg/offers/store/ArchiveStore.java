package dev.torg.offers.store;

import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Sql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Stores the bodies of removed and expired offers, in partitions by the month in which they were
/// archived. An offer is archived and restored under the lock of its main row.
public final class ArchiveStore {
  private static final BatchColumns<ArchivePosition> POSITIONS =
      BatchColumns.<ArchivePosition>of(position -> position.id().home())
          .longs("id", position -> position.id().number())
          .others("month", "date", position -> position.month().toString());

  private static final BatchSql<ArchivePosition> READ =
      POSITIONS.sql(
          """
          SELECT a.id, a.body FROM :batch(k)
            JOIN offer_archive a ON a.home = k.home AND a.id = k.id AND a.month = k.month
           WHERE a.kind = ? AND :shard(a)
          """);

  private static final BatchSql<ArchivePosition> RESTORE_PARTS =
      POSITIONS.sql(
          """
          INSERT INTO offer (home, id, kind, version, seq, body)
          SELECT a.home, a.id, a.kind, a.version, a.seq, a.body FROM :batch(k)
            JOIN offer_archive a ON a.home = k.home AND a.id = k.id AND a.month = k.month
           WHERE a.kind <> 'offer' AND :shard(a)
          ON CONFLICT DO NOTHING
          """);

  private static final BatchSql<ArchivePosition> DELETE =
      POSITIONS.sql(
          """
          DELETE FROM offer_archive a USING :batch(k)
           WHERE a.home = k.home AND a.id = k.id AND a.month = k.month AND :shard(a)
          """);

  private static final String DUE_TO_EXPIRE =
      """
      SELECT id FROM offer WHERE home = ? AND due_at <= ? AND status = ? AND kind = 'offer'
       ORDER BY due_at LIMIT ?
      """;

  private static final String HOMES_DUE_TO_EXPIRE =
      """
      SELECT DISTINCT home FROM offer
       WHERE home = ANY (?::int[]) AND due_at <= ? AND status = ? AND kind = 'offer'
      """;

  private static final String DUE =
      """
      SELECT id FROM offer
       WHERE home = ? AND due_at <= ? AND status = ANY (?) AND kind = 'offer'
       ORDER BY due_at LIMIT ?
      """;

  /// Waits for writers of stages, which hold a key-share lock of the main row. Omits offers that changed
  /// since they were read as due.
  private static final String LOCK_DUE =
      """
      SELECT id FROM offer
       WHERE home = ? AND id = ANY (?) AND kind = 'offer' AND due_at <= ? AND status = ANY (?)
       ORDER BY home, id FOR UPDATE
      """;

  private static final String COPY_TO_ARCHIVE =
      """
      INSERT INTO offer_archive (home, month, id, kind, version, seq, body)
      SELECT o.home, ?::date, o.id, o.kind, o.version, o.seq, o.body
        FROM offer o WHERE o.home = ? AND o.id = ANY (?)
      """;

  private static final String DROP_PARTS =
      "DELETE FROM offer WHERE home = ? AND id = ANY (?) AND kind <> 'offer'";

  private static final String LEAVE_STUB =
      """
      UPDATE offer SET body = NULL, due_at = NULL, archived = ?::date
       WHERE home = ? AND id = ANY (?) AND kind = 'offer'
      """;

  private static final String TABLE_IS_MISSING = "SELECT to_regclass(?) IS NULL";

  private static final String LOCK_CREATION =
      "SELECT pg_try_advisory_xact_lock(hashtext('offer_archive'))";

  /// The position of an offer in the archive.
  public record ArchivePosition(OfferId id, LocalDate month) {}

  /// The month of the partition.
  static LocalDate month(Instant now) {
    return LocalDate.ofInstant(now, ZoneOffset.UTC).withDayOfMonth(1);
  }

  /// The bodies of main rows.
  public Map<OfferId, byte[]> read(Tx tx, List<ArchivePosition> positions) throws SQLException {
    return read(tx, positions, "offer");
  }

  /// The bodies of one kind of part, for the offers that have it.
  public Map<OfferId, byte[]> read(Tx tx, List<ArchivePosition> positions, String kind)
      throws SQLException {
    Map<OfferId, byte[]> bodies = new HashMap<>();
    tx.sql(READ, positions)
        .set(kind)
        .each(row -> bodies.put(new OfferId(row.longAt(1)), row.bytesAt(2)));
    return bodies;
  }

  /// Restores the parts of offers. The caller writes the main rows.
  public void restore(Tx tx, List<ArchivePosition> positions) throws SQLException {
    tx.sql(RESTORE_PARTS, positions).update();
    tx.sql(DELETE, positions).update();
  }

  public List<OfferId> dueToExpire(Tx tx, Home home, Instant now, int limit) throws SQLException {
    return tx.sql(DUE_TO_EXPIRE)
        .set(home)
        .set(now)
        .set(Status.ACTIVE_VALUE)
        .set(limit)
        .list(row -> new OfferId(row.longAt(1)));
  }

  public List<Home> homesDueToExpire(Tx tx, List<Home> homes, Instant now) throws SQLException {
    return tx.sql(HOMES_DUE_TO_EXPIRE)
        .ints(homes, Home::number)
        .set(now)
        .set(Status.ACTIVE_VALUE)
        .list(row -> row.homeAt(1));
  }

  /// Archives due offers of these statuses. Returns how many.
  public int archiveDue(Tx tx, Home home, Instant now, int[] statuses, int limit)
      throws SQLException {
    long[] candidates = ids(tx.sql(DUE).set(home).set(now).ints(statuses).set(limit));
    if (candidates.length == 0) {
      return 0;
    }
    long[] due = ids(tx.sql(LOCK_DUE).set(home).longs(candidates).set(now).ints(statuses));
    if (due.length > 0) {
      String month = month(now).toString();
      tx.sql(COPY_TO_ARCHIVE).set(month).set(home).longs(due).update();
      tx.sql(DROP_PARTS).set(home).longs(due).update();
      tx.sql(LEAVE_STUB).set(month).set(home).longs(due).update();
    }
    return due.length;
  }

  /// Creates the month's partition if it is missing. Returns false if a concurrent transaction is creating
  /// it. An advisory lock excludes that one, because `IF NOT EXISTS` alone fails when two create the same
  /// table at once; nothing waits for the lock, since on distributed tables the creation takes longer than a
  /// lock timeout.
  public boolean ensurePartition(Tx tx, Instant now) throws SQLException {
    LocalDate month = month(now);
    String name = "offer_archive_" + month.toString().substring(0, 7).replace('-', '_');
    if (!isTrue(tx.sql(TABLE_IS_MISSING).set(name))) {
      return true;
    }
    if (!isTrue(tx.sql(LOCK_CREATION))) {
      return false;
    }
    try (Statement statement = tx.connection().createStatement()) {
      statement.execute(
          "CREATE TABLE IF NOT EXISTS %s PARTITION OF offer_archive FOR VALUES FROM ('%s') TO ('%s')"
              .formatted(name, month, month.plusMonths(1)));
    }
    return true;
  }

  private static boolean isTrue(Sql sql) throws SQLException {
    return sql.list(row -> row.booleanAt(1)).getFirst();
  }

  private static long[] ids(Sql sql) throws SQLException {
    return sql.list(row -> row.longAt(1)).stream().mapToLong(Long::longValue).toArray();
  }
}
