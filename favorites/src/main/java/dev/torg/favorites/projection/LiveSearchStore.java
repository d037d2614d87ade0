package dev.torg.favorites.projection;

import dev.torg.api.v1.FavoriteEvent;
import dev.torg.api.v1.SearchEvent;
import dev.torg.api.v1.SearchQuery;
import dev.torg.favorites.FavoriteTopics;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.StoredProto;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.EventSequence;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.outbox.OutboxMessage;
import dev.torg.platform.projection.Projection.Change;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// SQL over the distinct searches. A search becomes live with its first subscriber and is removed with the
/// last one; both are published.
///
/// A transaction that adds a subscriber to a live search locks its row FOR SHARE, so any number run
/// concurrently. One that revives a search or removes a subscriber locks it FOR UPDATE, and then sees the
/// changes of all others.
final class LiveSearchStore {
  private static final BatchColumns<String> IDS =
      BatchColumns.<String>of(Home::of).texts("search_id", id -> id);

  private static final String LOCK =
      """
      SELECT s.search_id, s.live, s.seq, s.query
        FROM :batch(k)
        JOIN search s ON s.home = k.home AND s.search_id = k.search_id
       WHERE :shard(s) ORDER BY s.home, s.search_id FOR %s OF s
      """;

  private static final BatchSql<String> LOCK_FOR_SHARE = IDS.sql(LOCK.formatted("SHARE"));
  private static final BatchSql<String> LOCK_FOR_UPDATE = IDS.sql(LOCK.formatted("UPDATE"));

  private static final BatchSql<NewSearch> ADD =
      BatchColumns.of(NewSearch::home)
          .texts("search_id", NewSearch::id)
          .bytes("query", search -> search.query().toByteArray())
          .sql(
              """
              INSERT INTO search (home, search_id, live, seq, since, query)
              SELECT k.home, k.search_id, false, 0, ?::timestamptz, k.query FROM :rows(k)
               ORDER BY k.home, k.search_id
              ON CONFLICT (home, search_id) DO NOTHING
              """);

  private static final BatchSql<String> SELECT_SUBSCRIBED =
      IDS.sql(
          """
          SELECT DISTINCT s.search_id FROM :batch(k)
            JOIN search_subscriber s ON s.home = k.home AND s.search_id = k.search_id
           WHERE s.removed_at IS NULL AND :shard(s)
          """);

  private static final BatchSql<Search> SET =
      BatchColumns.of(Search::home)
          .texts("search_id", Search::id)
          .booleans("live", Search::live)
          .longs("seq", Search::seq)
          .sql(
              """
              UPDATE search s SET live = k.live, seq = k.seq FROM :batch(k)
               WHERE s.home = k.home AND s.search_id = k.search_id AND :shard(s)
              """);

  private record NewSearch(String id, SearchQuery query) {
    Home home() {
      return Home.of(id);
    }
  }

  @SuppressWarnings("ArrayRecordComponent")
  private record Search(String id, boolean live, long seq, byte[] query) {
    Home home() {
      return Home.of(id);
    }
  }

  private final Outbox outbox;
  private final EventSequence seq;

  LiveSearchStore(Outbox outbox, EventSequence seq) {
    this.outbox = outbox;
    this.seq = seq;
  }

  /// Applies the subscribers added and removed in this transaction.
  void apply(
      Tx tx, List<Change<Subscription>> changes, Map<String, SearchQuery> queries, Instant now)
      throws SQLException {
    TreeSet<String> added = new TreeSet<>();
    TreeSet<String> removed = new TreeSet<>();
    for (Change<Subscription> change : changes) {
      if (change.difference() != 0) {
        (change.difference() > 0 ? added : removed).add(change.source().row().id());
      }
    }
    added.removeAll(removed);
    lock(tx, LOCK_FOR_SHARE, List.copyOf(added)).stream()
        .filter(Search::live)
        .forEach(s -> added.remove(s.id()));
    add(tx, List.copyOf(added), queries, now);
    added.addAll(removed);
    reconcile(tx, List.copyOf(added), now);
  }

  /// Makes a search live if and only if it has subscribers.
  private void reconcile(Tx tx, List<String> ids, Instant now) throws SQLException {
    List<Search> searches = lock(tx, LOCK_FOR_UPDATE, ids);
    List<String> subscribed = tx.sql(SELECT_SUBSCRIBED, ids).list(row -> row.textAt(1));
    List<Search> changed = new ArrayList<>();
    for (Search search : searches) {
      boolean live = subscribed.contains(search.id());
      if (live != search.live()) {
        changed.add(new Search(search.id(), live, seq.after(search.seq()), search.query()));
      }
    }
    tx.sql(SET, changed).update();
    outbox.append(tx, changed.stream().map(search -> event(search, now)).toList());
  }

  private static List<Search> lock(Tx tx, BatchSql<String> sql, List<String> ids)
      throws SQLException {
    return tx.sql(sql, ids)
        .list(row -> new Search(row.textAt(1), row.booleanAt(2), row.longAt(3), row.bytesAt(4)));
  }

  private static void add(Tx tx, List<String> ids, Map<String, SearchQuery> queries, Instant now)
      throws SQLException {
    List<NewSearch> searches =
        ids.stream()
            .map(
                id -> new NewSearch(id, queries.getOrDefault(id, SearchQuery.getDefaultInstance())))
            .toList();
    tx.sql(ADD, searches).set(now).update();
  }

  private static OutboxMessage event(Search search, Instant now) {
    SearchEvent event =
        SearchEvent.newBuilder()
            .setSearchId(search.id())
            .setSeq(search.seq())
            .setQuery(StoredProto.parse(SearchQuery.parser(), search.query(), "query"))
            .setRemoved(!search.live())
            .setAt(EpochMicros.timestamp(now))
            .build();
    return new OutboxMessage(
        search.home(), search.seq(), FavoriteTopics.SEARCHES, search.id(), event.toByteArray());
  }

  /// The queries of events, by search.
  static Map<String, SearchQuery> queries(List<FavoriteEvent> events) {
    Map<String, SearchQuery> queries = new HashMap<>();
    events.forEach(event -> queries.put(event.getId(), event.getQuery()));
    return queries;
  }
}
