package dev.torg.favorites.projection;

import dev.torg.api.v1.FavoriteEvent;
import dev.torg.api.v1.SearchEvent;
import dev.torg.api.v1.SearchQuery;
import dev.torg.favorites.FavoriteTopics;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.db.HomedSql;
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
  private static final String LOCK =
      """
      SELECT s.search_id, s.live, s.seq, s.query
        FROM unnest(?::int[], ?::text[]) AS k (home, search_id)
        JOIN search s ON s.home = k.home AND s.search_id = k.search_id
       WHERE :home(s) ORDER BY s.home, s.search_id FOR %s OF s
      """;

  private static final HomedSql SHARE = HomedSql.of(LOCK.formatted("SHARE"));
  private static final HomedSql UPDATE = HomedSql.of(LOCK.formatted("UPDATE"));

  private static final String ADD =
      """
      INSERT INTO search (home, search_id, live, seq, since, query)
      SELECT k.home, k.search_id, false, 0, ?, k.query
        FROM unnest(?::int[], ?::text[], ?::bytea[]) AS k (home, search_id, query)
       ORDER BY k.home, k.search_id
      ON CONFLICT (home, search_id) DO NOTHING
      """;

  private static final HomedSql SELECT_SUBSCRIBED =
      HomedSql.of(
          """
          SELECT DISTINCT s.search_id FROM unnest(?::int[], ?::text[]) AS k (home, search_id)
            JOIN search_subscriber s ON s.home = k.home AND s.search_id = k.search_id
           WHERE s.removed_at IS NULL AND :home(s)
          """);

  private static final HomedSql SET =
      HomedSql.of(
          """
          UPDATE search s SET live = k.live, seq = k.seq
            FROM unnest(?::int[], ?::text[], ?::boolean[], ?::bigint[])
              AS k (home, search_id, live, seq)
           WHERE s.home = k.home AND s.search_id = k.search_id AND :home(s)
          """);

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
    lock(tx, SHARE, List.copyOf(added)).stream()
        .filter(Search::live)
        .forEach(s -> added.remove(s.id()));
    add(tx, List.copyOf(added), queries, now);
    added.addAll(removed);
    if (!added.isEmpty()) {
      reconcile(tx, List.copyOf(added), now);
    }
  }

  /// Makes a search live if and only if it has subscribers.
  private void reconcile(Tx tx, List<String> ids, Instant now) throws SQLException {
    List<Search> searches = lock(tx, UPDATE, ids);
    List<String> subscribed =
        tx.sql(SELECT_SUBSCRIBED, ids, Home::of)
            .homes(ids, Home::of)
            .texts(ids, id -> id)
            .list(row -> row.textAt(1));
    List<Search> changed = new ArrayList<>();
    for (Search search : searches) {
      boolean live = subscribed.contains(search.id());
      if (live != search.live()) {
        changed.add(new Search(search.id(), live, seq.after(search.seq()), search.query()));
      }
    }
    write(tx, changed);
    outbox.append(tx, changed.stream().map(search -> event(search, now)).toList());
  }

  private static List<Search> lock(Tx tx, HomedSql sql, List<String> ids) throws SQLException {
    if (ids.isEmpty()) {
      return List.of();
    }
    return tx.sql(sql, ids, Home::of)
        .homes(ids, Home::of)
        .texts(ids, id -> id)
        .list(row -> new Search(row.textAt(1), row.booleanAt(2), row.longAt(3), row.bytesAt(4)));
  }

  private static void add(Tx tx, List<String> ids, Map<String, SearchQuery> queries, Instant now)
      throws SQLException {
    if (!ids.isEmpty()) {
      tx.sql(ADD)
          .set(now)
          .homes(ids, Home::of)
          .texts(ids, id -> id)
          .bytes(
              ids, id -> queries.getOrDefault(id, SearchQuery.getDefaultInstance()).toByteArray())
          .update();
    }
  }

  private static void write(Tx tx, List<Search> changed) throws SQLException {
    if (!changed.isEmpty()) {
      tx.sql(SET, changed, Search::home)
          .homes(changed, Search::home)
          .texts(changed, Search::id)
          .booleans(changed, Search::live)
          .longs(changed, Search::seq)
          .update();
    }
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
