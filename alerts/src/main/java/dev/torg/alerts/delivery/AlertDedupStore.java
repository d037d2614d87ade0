package dev.torg.alerts.delivery;

import dev.torg.alerts.event.Alert;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// SQL over the deduplication table `told`: which offers recipients were notified of as new. The insert
/// decides: of two transactions about one recipient and offer the second waits for the first and then
/// inserts nothing.
public final class AlertDedupStore {
  private static final BatchSql<DedupRow> INSERT =
      BatchColumns.<DedupRow>of(row -> Home.of(row.owner()))
          .texts("owner", DedupRow::owner)
          .longs("offer_id", row -> row.offer().number())
          .others("month", "date", row -> row.month().toString())
          .sql(
              """
              INSERT INTO told (home, owner, offer_id, activated_month)
              SELECT k.home, k.owner, k.offer_id, k.month
                FROM :rows(k)
               ORDER BY k.home, k.owner, k.offer_id
              ON CONFLICT DO NOTHING
              RETURNING owner, offer_id
              """);

  /// Reads the rows of the recipients and hashes the offers. With `offer_id = ANY` in the join, a generic plan sorts the
  /// thousands of offers again for each recipient and partition: seconds instead of milliseconds.
  private static final BatchSql<String> SELECT_BY_OFFER =
      BatchColumns.<String>of(Home::of)
          .texts("owner", owner -> owner)
          .sql(
              """
              WITH notified AS MATERIALIZED (
                SELECT t.owner, t.offer_id FROM :batch(k)
                  JOIN told t ON t.home = k.home AND t.owner = k.owner
                 WHERE :shard(t))
              SELECT owner, offer_id FROM notified WHERE offer_id IN (SELECT unnest(?::bigint[]))
              """);

  private static final String SELECT_PAGE =
      """
      SELECT owner, offer_id, activated_month::text FROM told WHERE home = ? AND owner = ? LIMIT ?
      """;

  private static final String REMOVE =
      "DELETE FROM told WHERE home = ? AND owner = ? AND offer_id = ANY (?::bigint[])";

  /// A recipient and an offer.
  public record Key(String owner, OfferId offer) {}

  /// A row that the login merge moves to another owner.
  public record DedupRow(String owner, OfferId offer, LocalDate month) {
    public DedupRow to(String login) {
      return new DedupRow(login, offer, month);
    }
  }

  /// Inserts rows, and returns those that did not exist.
  public Set<Key> insertNew(Tx tx, Collection<Alert> alerts) throws SQLException {
    return insert(
        tx,
        alerts.stream()
            .map(
                a -> new DedupRow(a.recipient(), a.content().offer(), a.content().activatedMonth()))
            .toList());
  }

  public Set<Key> insert(Tx tx, Collection<DedupRow> unsorted) throws SQLException {
    List<DedupRow> rows = new ArrayList<>(unsorted);
    rows.sort(Comparator.comparing(DedupRow::owner).thenComparing(DedupRow::offer));
    return new HashSet<>(
        tx.sql(INSERT, rows).list(row -> new Key(row.textAt(1), new OfferId(row.longAt(2)))));
  }

  /// Passes the offers that the recipients were notified of one by one to a consumer. Nothing is
  /// buffered: a recipient may have any number of rows.
  void find(Tx tx, List<String> recipients, List<OfferId> offers, Consumer<Key> consumer)
      throws SQLException {
    tx.sql(SELECT_BY_OFFER, recipients)
        .longs(offers, OfferId::number)
        .each(row -> consumer.accept(new Key(row.textAt(1), new OfferId(row.longAt(2)))));
  }

  public List<DedupRow> page(Tx tx, String owner, int limit) throws SQLException {
    return tx.sql(SELECT_PAGE).set(Home.of(owner)).set(owner).set(limit).list(AlertDedupStore::row);
  }

  public void remove(Tx tx, String owner, List<DedupRow> page) throws SQLException {
    tx.sql(REMOVE).set(Home.of(owner)).set(owner).longs(page, row -> row.offer().number()).update();
  }

  private static DedupRow row(Row row) throws SQLException {
    return new DedupRow(row.textAt(1), new OfferId(row.longAt(2)), LocalDate.parse(row.textAt(3)));
  }
}
