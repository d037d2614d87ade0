package dev.torg.offers.store;

import dev.torg.api.v1.Offer;
import dev.torg.offers.ActiveOfferFilter;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Sql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/// Looks through active offers one by one, as they were at one moment, within a bounded time. The
/// index narrows them by category and region, or by seller; all else is for whoever looks.
public final class ActiveScan {
  /// Rows a scan reads at most: where tables are distributed the server holds them all.
  private static final int MAX_SCANNED_ROWS = 200_000;

  /// Rows read at a time: about a megabyte.
  private static final int AT_A_TIME = 500;

  private static final String QUERY_CANCELED = "57014";

  /// Rows without a category were written before there was that column.
  private static final String BY_CATEGORY =
      """
      SELECT o.body
        FROM unnest(?::text[], ?::text[]) AS r (first, last)
        JOIN offer o ON o.region >= r.first AND o.region <= r.last
       WHERE o.kind = 'offer' AND o.status = 1 AND o.category = ANY (?::text[])
      UNION ALL
      SELECT o.body FROM offer o WHERE o.kind = 'offer' AND o.status = 1 AND o.category IS NULL
      LIMIT ?
      """;

  private static final String BY_REGION =
      """
      SELECT o.body
        FROM unnest(?::text[], ?::text[]) AS r (first, last)
        JOIN offer o ON o.region >= r.first AND o.region <= r.last
       WHERE o.kind = 'offer' AND o.status = 1
      UNION ALL
      SELECT o.body FROM offer o WHERE o.kind = 'offer' AND o.status = 1 AND o.category IS NULL
      LIMIT ?
      """;

  private static final String ALL =
      "SELECT o.body FROM offer o WHERE o.kind = 'offer' AND o.status = 1 LIMIT ?";

  private static final String BY_SELLER =
      """
      SELECT o.body FROM offer o
       WHERE o.home = ? AND o.seller = ? AND o.kind = 'offer' AND o.status = 1 LIMIT ?
      """;

  private final Database database;

  public ActiveScan(Database database) {
    this.database = database;
  }

  /// Shows offers until there are no more, the looker has seen enough, or the time is over. Whether
  /// all were seen.
  public boolean run(ActiveOfferFilter which, Duration atMost, Predicate<Offer> goOn) {
    try {
      return database.inTransactionWithoutRetry(tx -> run(tx, which, atMost, goOn));
    } catch (SQLException e) {
      if (QUERY_CANCELED.equals(e.getSQLState())) {
        return false;
      }
      throw Database.unavailable(e);
    }
  }

  private static boolean run(Tx tx, ActiveOfferFilter which, Duration atMost, Predicate<Offer> goOn)
      throws SQLException {
    long end = System.nanoTime() + atMost.toNanos();
    tx.sql("SELECT set_config('statement_timeout', ?, true)")
        .set(Long.toString(atMost.toMillis()))
        .first(row -> true);
    int[] seen = new int[1];
    boolean all =
        statement(tx, which)
            .eachWhile(
                AT_A_TIME,
                row -> {
                  seen[0]++;
                  return goOn.test(OfferStore.parse(row.bytesAt(1))) && System.nanoTime() < end;
                });
    return all && seen[0] < MAX_SCANNED_ROWS;
  }

  private static Sql statement(Tx tx, ActiveOfferFilter which) throws SQLException {
    if (which.seller().isPresent()) {
      String seller = which.seller().get();
      return tx.sql(BY_SELLER).set(Home.of(seller)).set(seller).set(MAX_SCANNED_ROWS);
    }
    if (!which.categories().isEmpty()) {
      return ranges(tx.sql(BY_CATEGORY), which)
          .texts(which.categories().toArray(String[]::new))
          .set(MAX_SCANNED_ROWS);
    }
    return which.regions().isEmpty()
        ? tx.sql(ALL).set(MAX_SCANNED_ROWS)
        : ranges(tx.sql(BY_REGION), which).set(MAX_SCANNED_ROWS);
  }

  private static Sql ranges(Sql sql, ActiveOfferFilter which) throws SQLException {
    List<RegionRange> ranges = RegionRange.of(which.regions());
    return sql.texts(ranges, RegionRange::first).texts(ranges, RegionRange::last);
  }
}
