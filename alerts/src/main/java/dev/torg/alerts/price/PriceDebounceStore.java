package dev.torg.alerts.price;

import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
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
  private static final String ADD =
      """
      INSERT INTO price_due (home, offer_id, version, changed_at, run_at)
      SELECT k.home, k.offer_id, k.version, k.changed_at, ?
        FROM unnest(?::int[], ?::bigint[], ?::bigint[], ?::timestamptz[])
          AS k (home, offer_id, version, changed_at)
       ORDER BY k.home, k.offer_id
      ON CONFLICT (home, offer_id) DO UPDATE
         SET version = greatest(price_due.version, excluded.version),
             changed_at = greatest(price_due.changed_at, excluded.changed_at),
             run_at = coalesce(price_due.run_at, excluded.run_at)
      """;

  private static final String DUE =
      """
      SELECT offer_id, version, changed_at, ran_at FROM price_due
       WHERE home = ? AND run_at <= ? ORDER BY run_at LIMIT ?
      """;

  /// One index lookup per home, however many rows are due there.
  private static final String HOMES_DUE =
      """
      SELECT k.home FROM unnest(?::int[]) AS k (home)
       WHERE EXISTS (SELECT FROM price_due d WHERE d.home = k.home AND d.run_at <= ?)
      """;

  private static final String POSTPONE =
      """
      UPDATE price_due SET run_at = ?
       WHERE home = ? AND offer_id = ANY (?::bigint[]) AND run_at IS NOT NULL
      """;

  private static final String REMOVE =
      """
      DELETE FROM price_due d USING unnest(?::bigint[], ?::bigint[]) AS k (offer_id, version)
       WHERE d.home = ? AND d.offer_id = k.offer_id AND d.version = k.version
      RETURNING d.offer_id
      """;

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

  public void add(Tx tx, Collection<Changed> changes, Instant runAt) throws SQLException {
    TreeMap<OfferId, Changed> latest = new TreeMap<>();
    changes.forEach(
        change ->
            latest.merge(change.offer(), change, (a, b) -> a.version() >= b.version() ? a : b));
    List<Changed> rows = List.copyOf(latest.values());
    if (!rows.isEmpty()) {
      tx.sql(ADD)
          .set(runAt)
          .homes(rows, row -> row.offer().home())
          .longs(rows, row -> row.offer().number())
          .longs(rows, Changed::version)
          .instants(rows, Changed::at)
          .update();
    }
  }

  List<Due> due(Tx tx, Home home, Instant now, int atMost) throws SQLException {
    return tx.sql(DUE).set(home).set(now).set(atMost).list(PriceDebounceStore::due);
  }

  List<Home> homesDue(Tx tx, List<Home> homes, Instant now) throws SQLException {
    return tx.sql(HOMES_DUE).ints(homes, Home::number).set(now).list(row -> row.homeAt(1));
  }

  void postpone(Tx tx, Due due, Instant to) throws SQLException {
    postpone(tx, due.home(), List.of(due.offer()), to);
  }

  private static void postpone(Tx tx, Home home, List<OfferId> offers, Instant to)
      throws SQLException {
    tx.sql(POSTPONE).set(to).set(home).longs(offers, OfferId::number).update();
  }

  /// Completes runs of one home. A price that has changed since it was read is due again.
  void done(Tx tx, Home home, List<Due> dues, Instant again) throws SQLException {
    Set<OfferId> removed =
        Set.copyOf(
            tx.sql(REMOVE)
                .longs(dues, due -> due.offer().number())
                .longs(dues, Due::version)
                .set(home)
                .list(row -> new OfferId(row.longAt(1))));
    List<OfferId> changed =
        dues.stream().map(Due::offer).filter(offer -> !removed.contains(offer)).toList();
    if (!changed.isEmpty()) {
      postpone(tx, home, changed, again);
    }
  }

  /// The same for an offer with many savers: records the run, so that the next one keeps the minimum
  /// interval.
  void doneAndRecorded(Tx tx, Due due, Instant now, Instant again) throws SQLException {
    tx.sql(RECORD)
        .set(now)
        .set(due.version())
        .set(again)
        .set(due.home())
        .set(due.offer().number())
        .update();
  }

  int deleteOld(Tx tx, List<Home> homes, Instant ranBefore) throws SQLException {
    return tx.sql(DELETE_OLD).ints(homes, Home::number).set(ranBefore).update();
  }

  private static Due due(Row row) throws SQLException {
    return new Due(
        new OfferId(row.longAt(1)), row.longAt(2), row.instantAt(3), row.optionalInstantAt(4));
  }
}
