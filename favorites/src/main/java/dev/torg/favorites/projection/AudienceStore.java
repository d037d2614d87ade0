package dev.torg.favorites.projection;

import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.SearchQuery;
import dev.torg.favorites.Audiences.LiveSearch;
import dev.torg.favorites.Audiences.Member;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Sql;
import dev.torg.platform.db.StoredProto;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// SQL over the projections: pages of savers, followers and subscribers, sorted by owner.
public final class AudienceStore {
  private static final String SELECT_PAGE =
      """
      SELECT owner, created_at, %s FROM %s
       WHERE home = ? AND %s = ? AND owner > ? AND removed_at IS NULL ORDER BY owner LIMIT ?
      """;

  private static final String SAVERS =
      SELECT_PAGE.formatted(Delivery.INSTANT_VALUE, "offer_saver", "offer_id");
  private static final String FOLLOWERS =
      SELECT_PAGE.formatted("delivery", "seller_follower", "seller");
  private static final String SUBSCRIBERS =
      SELECT_PAGE.formatted("delivery", "search_subscriber", "search_id");

  private static final BatchColumns<String> IDS =
      BatchColumns.<String>of(Home::of).texts("id", id -> id);

  private static final String FIRSTS =
      """
      SELECT k.id, m.owner, m.created_at, m.delivery
        FROM :batch(k)
       CROSS JOIN LATERAL (
         SELECT t.owner, t.created_at, t.delivery FROM %1$s t
          WHERE t.home = k.home AND t.%2$s = k.id AND t.removed_at IS NULL AND :shard(t)
          ORDER BY t.owner LIMIT ?) AS m
      """;

  private static final BatchSql<String> FIRST_FOLLOWERS =
      IDS.sql(FIRSTS.formatted("seller_follower", "seller"));
  private static final BatchSql<String> FIRST_SUBSCRIBERS =
      IDS.sql(FIRSTS.formatted("search_subscriber", "search_id"));

  private static final BatchSql<OfferId> SAVED =
      BatchColumns.of(OfferId::home)
          .longs("offer_id", OfferId::number)
          .sql(
              """
              SELECT k.offer_id FROM :batch(k)
               CROSS JOIN LATERAL (
                 SELECT 1 FROM offer_saver s
                  WHERE s.home = k.home AND s.offer_id = k.offer_id AND s.removed_at IS NULL
                    AND :shard(s) LIMIT 1) AS any_saver
              """);

  private static final String COUNT_FOLLOWERS =
      "SELECT count(*) FROM seller_follower WHERE home = ? AND seller = ? AND removed_at IS NULL";
  private static final String COUNT_SUBSCRIBERS =
      "SELECT count(*) FROM search_subscriber WHERE home = ? AND search_id = ? AND removed_at IS NULL";

  private static final String SEARCHES =
      """
      SELECT search_id, query, seq FROM search
       WHERE home = ? AND search_id > ? AND live ORDER BY search_id LIMIT ?
      """;

  private final SaveCountStore counts = new SaveCountStore();

  public List<Member> savers(Tx tx, OfferId offer, String after, int limit) throws SQLException {
    return page(tx.sql(SAVERS).set(offer.home()).set(offer.number()), after, limit);
  }

  public List<Member> followers(Tx tx, String seller, String after, int limit) throws SQLException {
    return page(tx.sql(FOLLOWERS).set(Home.of(seller)).set(seller), after, limit);
  }

  public List<Member> subscribers(Tx tx, String searchId, String after, int limit)
      throws SQLException {
    return page(tx.sql(SUBSCRIBERS).set(Home.of(searchId)).set(searchId), after, limit);
  }

  public List<LiveSearch> searches(Tx tx, Home home, String after, int limit) throws SQLException {
    return tx.sql(SEARCHES)
        .set(home)
        .set(after)
        .set(limit)
        .list(
            row ->
                new LiveSearch(
                    row.textAt(1),
                    StoredProto.parse(SearchQuery.parser(), row.bytesAt(2), "query"),
                    row.longAt(3)));
  }

  public Map<String, List<Member>> firstFollowers(Tx tx, List<String> sellers, int limit)
      throws SQLException {
    return firsts(tx, FIRST_FOLLOWERS, sellers, limit);
  }

  public Map<String, List<Member>> firstSubscribers(Tx tx, List<String> searches, int limit)
      throws SQLException {
    return firsts(tx, FIRST_SUBSCRIBERS, searches, limit);
  }

  public long followerCount(Tx tx, String seller) throws SQLException {
    return count(tx, COUNT_FOLLOWERS, seller);
  }

  public long subscriberCount(Tx tx, String searchId) throws SQLException {
    return count(tx, COUNT_SUBSCRIBERS, searchId);
  }

  private static long count(Tx tx, String sql, String id) throws SQLException {
    return tx.sql(sql).set(Home.of(id)).set(id).first(row -> row.longAt(1)).orElse(0L);
  }

  private static Map<String, List<Member>> firsts(
      Tx tx, BatchSql<String> sql, List<String> ids, int limit) throws SQLException {
    Map<String, List<Member>> members = new HashMap<>();
    tx.sql(sql, ids)
        .set(limit)
        .each(
            row ->
                members
                    .computeIfAbsent(row.textAt(1), _ -> new ArrayList<>())
                    .add(new Member(row.textAt(2), row.instantAt(3), delivery(row.intAt(4)))));
    return members;
  }

  public List<OfferId> saved(Tx tx, List<OfferId> offers) throws SQLException {
    return tx.sql(SAVED, offers).list(row -> new OfferId(row.longAt(1)));
  }

  public long saveCount(Tx tx, OfferId offer) throws SQLException {
    return counts.count(tx, offer);
  }

  private static List<Member> page(Sql sql, String after, int limit) throws SQLException {
    return sql.set(after).set(limit).list(AudienceStore::member);
  }

  private static Member member(Row row) throws SQLException {
    return new Member(row.textAt(1), row.instantAt(2), delivery(row.intAt(3)));
  }

  private static Delivery delivery(int number) {
    return Objects.requireNonNullElse(Delivery.forNumber(number), Delivery.INSTANT);
  }
}
