package dev.torg.offers.store;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.offers.ActiveOfferFilter;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Sql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/// Visits active offers one by one, in one snapshot, within a bounded time. An index narrows them by
/// category and region, or by seller; the visitor checks further conditions.
public final class ActiveScan {
  /// Maximum number of rows of a scan. With distributed tables the server holds all of them in memory.
  private static final int MAX_SCANNED_ROWS = 200_000;

  /// Rows fetched at a time, about a megabyte.
  private static final int FETCH_SIZE = 500;

  /// A literal rather than a parameter, so that partial indexes apply.
  private static final int ACTIVE = Status.ACTIVE_VALUE;

  private static final String QUERY_CANCELED = "57014";

  /// Rows without a category were written before that column existed. Each part has its own limit, because
  /// distributed tables send all rows of both parts to the coordinator before the common one applies.
  private static final String BY_CATEGORY =
      """
      (SELECT o.body
         FROM unnest(?::text[], ?::text[]) AS r (first, last)
         JOIN offer o ON o.region >= r.first AND o.region <= r.last
        WHERE o.kind = 'offer' AND o.status = %d AND o.category = ANY (?::text[])
        LIMIT ?)
      UNION ALL
      (SELECT o.body FROM offer o WHERE o.kind = 'offer' AND o.status = %d AND o.category IS NULL
        LIMIT ?)
      LIMIT ?
      """
          .formatted(ACTIVE, ACTIVE);

  private static final String BY_REGION =
      """
      (SELECT o.body
         FROM unnest(?::text[], ?::text[]) AS r (first, last)
         JOIN offer o ON o.region >= r.first AND o.region <= r.last
        WHERE o.kind = 'offer' AND o.status = %d
        LIMIT ?)
      UNION ALL
      (SELECT o.body FROM offer o WHERE o.kind = 'offer' AND o.status = %d AND o.category IS NULL
        LIMIT ?)
      LIMIT ?
      """
          .formatted(ACTIVE, ACTIVE);

  private static final String ALL =
      "SELECT o.body FROM offer o WHERE o.kind = 'offer' AND o.status = %d LIMIT ?"
          .formatted(ACTIVE);

  private static final String BY_SELLER =
      """
      SELECT o.body FROM offer o
       WHERE o.home = ? AND o.seller = ? AND o.kind = 'offer' AND o.status = %d LIMIT ?
      """
          .formatted(ACTIVE);

  private final Database database;

  public ActiveScan(Database database) {
    this.database = database;
  }

  /// Visits offers until all are visited, the visitor returns false, or the time is up. Returns whether all
  /// were visited.
  public boolean run(ActiveOfferFilter filter, Duration timeout, Predicate<Offer> visitor) {
    try {
      return database.inTransactionWithoutRetry(tx -> run(tx, filter, timeout, visitor));
    } catch (SQLException e) {
      if (QUERY_CANCELED.equals(e.getSQLState())) {
        return false;
      }
      throw Database.unavailable(e);
    }
  }

  private static boolean run(
      Tx tx, ActiveOfferFilter filter, Duration timeout, Predicate<Offer> visitor)
      throws SQLException {
    long end = System.nanoTime() + timeout.toNanos();
    tx.sql("SELECT set_config('statement_timeout', ?, true)")
        .set(Long.toString(timeout.toMillis()))
        .first(row -> true);
    int[] visited = new int[1];
    boolean all =
        statement(tx, filter)
            .eachWhile(
                FETCH_SIZE,
                row -> {
                  visited[0]++;
                  return visitor.test(OfferStore.parse(row.bytesAt(1))) && System.nanoTime() < end;
                });
    return all && visited[0] < MAX_SCANNED_ROWS;
  }

  private static Sql statement(Tx tx, ActiveOfferFilter filter) throws SQLException {
    if (filter.seller().isPresent()) {
      String seller = filter.seller().get();
      return tx.sql(BY_SELLER).set(Home.of(seller)).set(seller).set(MAX_SCANNED_ROWS);
    }
    if (!filter.categories().isEmpty()) {
      return limits(
          ranges(tx.sql(BY_CATEGORY), filter).texts(filter.categories().toArray(String[]::new)));
    }
    return filter.regions().isEmpty()
        ? tx.sql(ALL).set(MAX_SCANNED_ROWS)
        : limits(ranges(tx.sql(BY_REGION), filter));
  }

  private static Sql limits(Sql sql) throws SQLException {
    return sql.set(MAX_SCANNED_ROWS).set(MAX_SCANNED_ROWS).set(MAX_SCANNED_ROWS);
  }

  private static Sql ranges(Sql sql, ActiveOfferFilter filter) throws SQLException {
    List<RegionRange> ranges = RegionRange.of(filter.regions());
    return sql.texts(ranges, RegionRange::first).texts(ranges, RegionRange::last);
  }
}
