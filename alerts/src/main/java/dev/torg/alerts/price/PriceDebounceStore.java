package dev.torg.alerts.price;

import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// SQL over the prices that are due. A change of a due price keeps its time, so that a price that changes
/// all the time is reported nevertheless; and it raises the version, so that a run that saw the former
/// price leaves the row.
public final class PriceDebounceStore {
  private static final BatchSql<Changed> ADD =
      BatchColumns.<Changed>of(change -> change.offer().home())
          .longs("offer_id", change -> change.offer().number())
          .longs("version", Changed::version)
          .instants("changed_at", Changed::at)
          .sql(
              """
              INSERT INTO price_due (home, offer_id, version, changed_at, run_at)
              SELECT k.home, k.offer_id, k.version, k.changed_at, ?
                FROM :rows(k)
               ORDER BY k.home, k.offer_id
              ON CONFLICT (home, offer_id) DO UPDATE
                 SET version = greatest(price_due.version, excluded.version),
                     changed_at = greatest(price_due.changed_at, excluded.changed_at),
                     run_at = coalesce(price_due.run_at, excluded.run_at)
              """);

  private static final String DUE =
      """
      SELECT offer_id, version, changed_at, ran_at FROM price_due
       WHERE home = ? AND run_at <= ? ORDER BY run_at LIMIT ?
      """;

  /// One index lookup per home, however many rows are due there.
  private static final BatchSql<Home> HOMES_DUE =
      BatchColumns.<Home>of(home -> home)
          .sql(
              """
              SELECT k.home FROM :rows(k)
               WHERE EXISTS (SELECT FROM price_due d
                              WHERE d.home = k.home AND d.run_at <= ? AND :shard(d))
              """);

  private static final String POSTPONE =
      """
      UPDATE price_due SET run_at = ?
       WHERE home = ? AND offer_id = ANY (?::bigint[]) AND run_at IS NOT NULL
      """;

  private static final BatchSql<Due> REMOVE =
      BatchColumns.of(Due::home)
          .longs("offer_id", due -> due.offer().number())
          .longs("version", Due::version)
          .sql(
              """
              DELETE FROM price_due d USING :batch(k)
               WHERE d.home = k.home AND d.offer_id = k.offer_id AND d.version = k.version
                 AND :shard(d)
              RETURNING d.offer_id
              """);

  private static final String RECORD =
      """
      UPDATE price_due SET ran_at = ?, run_at = CASE WHEN version = ? THEN NULL ELSE ? END
       WHERE home = ? AND offer_id = ?
      """;

  private static final String DELETE_OLD =
      "DELETE FROM price_due WHERE home = ANY (?::int[]) AND run_at IS NULL AND ran_at < ?";

  /// A price that changed with a version of its offer.
  public record Changed(OfferId offer, long version, Instant at) {}

  /// A due price, and when a run for that offer was last recorded.
  record Due(OfferId offer, long version, Instant changedAt, Optional<Instant> ranAt) {
    Home home() {
      return offer.home();
    }
  }

  /// Where tables are distributed, the offers are of one shard.
  public void add(Tx tx, Collection<Changed> changes, Instant runAt) throws SQLException {
    TreeMap<OfferId, Changed> byOffer = new TreeMap<>();
    changes.forEach(
        change ->
            byOffer.merge(change.offer(), change, (a, b) -> a.version() >= b.version() ? a : b));
    tx.sql(ADD, List.copyOf(byOffer.values())).set(runAt).update();
  }

  List<Due> due(Tx tx, Home home, Instant now, int limit) throws SQLException {
    return tx.sql(DUE).set(home).set(now).set(limit).list(PriceDebounceStore::due);
  }

  List<Home> homesDue(Tx tx, List<Home> homes, Instant now) throws SQLException {
    return tx.sql(HOMES_DUE, homes).set(now).list(row -> row.homeAt(1));
  }

  void postpone(Tx tx, Due due, Instant to) throws SQLException {
    postpone(tx, due.home(), List.of(due.offer()), to);
  }

  void postpone(Tx tx, Home home, List<OfferId> offers, Instant to) throws SQLException {
    tx.sql(POSTPONE).set(to).set(home).longs(offers, OfferId::number).update();
  }

  /// Completes runs of one home. A price that has changed since it was read is due again.
  void done(Tx tx, Home home, List<Due> dues, Instant nextRun) throws SQLException {
    Set<OfferId> removed = Set.copyOf(tx.sql(REMOVE, dues).list(row -> new OfferId(row.longAt(1))));
    List<OfferId> changed =
        dues.stream().map(Due::offer).filter(offer -> !removed.contains(offer)).toList();
    if (!changed.isEmpty()) {
      postpone(tx, home, changed, nextRun);
    }
  }

  /// The same for an offer with many savers: records the run, so that the next one keeps the minimum
  /// interval.
  void doneAndRecorded(Tx tx, Due due, Instant now, Instant nextRun) throws SQLException {
    tx.sql(RECORD)
        .set(now)
        .set(due.version())
        .set(nextRun)
        .set(due.home())
        .set(due.offer().number())
        .update();
  }

  /// Where tables are distributed, the homes are of one shard.
  int deleteOld(Tx tx, List<Home> homes, Instant ranBefore) throws SQLException {
    return tx.sql(DELETE_OLD).ints(homes, Home::number).set(ranBefore).update();
  }

  private static Due due(Row row) throws SQLException {
    return new Due(
        new OfferId(row.longAt(1)), row.longAt(2), row.instantAt(3), row.optionalInstantAt(4));
  }
}
