package dev.torg.favorites.projection;

import dev.torg.api.v1.FavoriteEvent;
import dev.torg.api.v1.SearchQuery;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.SubscriptionBackfill;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.StoredProto;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// SQL over the subscriptions that wait for a scan of recent offers.
///
/// Any number of processes may scan for a row at once: it is deleted only if it has not changed since it was
/// read, so a concurrent request (another event, or an earlier time) stays.
public final class BackfillStore {
  private static final Logger LOG = LoggerFactory.getLogger(BackfillStore.class);

  private static final Comparator<SubscriptionBackfill> KEY_ORDER =
      Comparator.comparing((SubscriptionBackfill row) -> row.home().number())
          .thenComparing(SubscriptionBackfill::kind)
          .thenComparing(SubscriptionBackfill::target)
          .thenComparing(SubscriptionBackfill::owner);

  /// A row as it was read.
  private static final BatchColumns<SubscriptionBackfill> READ_ROWS =
      BatchColumns.of(SubscriptionBackfill::home)
          .ints("kind", row -> row.kind().number())
          .texts("target", SubscriptionBackfill::target)
          .texts("owner", SubscriptionBackfill::owner)
          .longs("seq", SubscriptionBackfill::seq)
          .instants("look_from", SubscriptionBackfill::scanFrom);

  private static final BatchSql<SubscriptionBackfill> ADD =
      READ_ROWS
          .instants("created_at", SubscriptionBackfill::createdAt)
          .sql(
              """
              INSERT INTO subscription_backfill
                (home, kind, target, owner, seq, created_at, look_from)
              SELECT k.home, k.kind, k.target, k.owner, k.seq, k.created_at, k.look_from
                FROM :rows(k)
               ORDER BY k.home, k.kind, k.target, k.owner
              ON CONFLICT (home, kind, target, owner) DO UPDATE
                 SET seq = greatest(subscription_backfill.seq, excluded.seq),
                     created_at = least(subscription_backfill.created_at, excluded.created_at),
                     look_from = least(subscription_backfill.look_from, excluded.look_from)
              """);

  private static final String WAITING =
      """
      SELECT kind, target, owner, seq, created_at, look_from FROM subscription_backfill
       WHERE look_from >= ? AND look_from < ? ORDER BY look_from LIMIT ?
      """;

  private static final String ANY_WAITING =
      "SELECT 1 FROM subscription_backfill WHERE look_from >= ? AND look_from < ? LIMIT 1";

  private static final String COUNT = "SELECT count(*) FROM subscription_backfill";

  private static final BatchSql<String> QUERIES =
      BatchColumns.<String>of(Home::of)
          .texts("search_id", id -> id)
          .sql(
              """
              SELECT s.search_id, s.query FROM :batch(k)
                JOIN search s ON s.home = k.home AND s.search_id = k.search_id
               WHERE :shard(s)
              """);

  /// A row as it was read, or as the scan has advanced it since.
  private static final String AS_READ =
      """
      :batch(k)
       WHERE b.home = k.home AND b.kind = k.kind AND b.target = k.target AND b.owner = k.owner
         AND b.seq = k.seq AND b.look_from >= k.look_from AND :shard(b)
      """;

  private static final BatchSql<SubscriptionBackfill> ADVANCE =
      READ_ROWS.sql(
          "UPDATE subscription_backfill b SET look_from = greatest(b.look_from, ?) FROM "
              + AS_READ);

  private static final BatchSql<SubscriptionBackfill> REMOVE =
      READ_ROWS.sql("DELETE FROM subscription_backfill b USING " + AS_READ);

  /// In the transaction that projects these events.
  void add(Tx tx, Collection<FavoriteEvent> events) throws SQLException {
    Map<Key, SubscriptionBackfill> rows = new HashMap<>();
    for (FavoriteEvent event : events) {
      SubscriptionBackfill.of(event)
          .ifPresent(row -> rows.merge(Key.of(row), row, SubscriptionBackfill::with));
    }
    tx.sql(ADD, rows.values().stream().sorted(KEY_ORDER).toList()).update();
  }

  private record Key(FavoriteKind kind, String target, String owner) {
    static Key of(SubscriptionBackfill row) {
      return new Key(row.kind(), row.target(), row.owner());
    }
  }

  public List<SubscriptionBackfill> waiting(Tx tx, Instant from, Instant before, int limit)
      throws SQLException {
    return tx.sql(WAITING).set(from).set(before).set(limit).list(BackfillStore::row);
  }

  public boolean isAnyWaiting(Tx tx, Instant from, Instant before) throws SQLException {
    return tx.sql(ANY_WAITING).set(from).set(before).first(_ -> true).isPresent();
  }

  public long count(Tx tx) throws SQLException {
    return tx.sql(COUNT).first(row -> row.longAt(1)).orElse(0L);
  }

  public Map<String, SearchQuery> queries(Tx tx, List<String> searchIds) throws SQLException {
    Map<String, SearchQuery> queries = new HashMap<>();
    tx.sql(QUERIES, searchIds)
        .each(
            row -> {
              String id = row.textAt(1);
              parse(id, row.bytesAt(2)).ifPresent(query -> queries.put(id, query));
            });
    return queries;
  }

  /// One query that cannot be parsed must not stop the scans for all others.
  private static Optional<SearchQuery> parse(String searchId, byte[] bytes) {
    try {
      return Optional.of(StoredProto.parse(SearchQuery.parser(), bytes, "query"));
    } catch (IllegalStateException e) {
      LOG.error("the query of search {} cannot be parsed", searchId, e);
      return Optional.empty();
    }
  }

  public void advance(Tx tx, List<SubscriptionBackfill> rows, Instant to) throws SQLException {
    tx.sql(ADVANCE, rows).set(to).update();
  }

  public void remove(Tx tx, List<SubscriptionBackfill> rows) throws SQLException {
    tx.sql(REMOVE, rows).update();
  }

  private static SubscriptionBackfill row(Row row) throws SQLException {
    return new SubscriptionBackfill(
        FavoriteKind.of(row.intAt(1)),
        row.textAt(2),
        row.textAt(3),
        row.longAt(4),
        row.instantAt(5),
        row.instantAt(6));
  }
}
