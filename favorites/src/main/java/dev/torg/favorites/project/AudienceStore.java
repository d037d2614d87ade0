package dev.torg.favorites.project;

import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.favorites.Audiences.LiveSearch;
import dev.torg.favorites.Audiences.Member;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Sql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;

/// Pages of those who are interested, in the order of their names.
public final class AudienceStore {
  private static final String PAGE =
      """
      SELECT owner, created_at, %s FROM %s
       WHERE home = ? AND %s = ? AND owner > ? AND removed_at IS NULL ORDER BY owner LIMIT ?
      """;

  private static final String SAVERS =
      PAGE.formatted(Delivery.INSTANT_VALUE, "offer_saver", "offer_id");
  private static final String FOLLOWERS = PAGE.formatted("delivery", "seller_follower", "seller");
  private static final String SUBSCRIBERS =
      PAGE.formatted("delivery", "search_subscriber", "search_id");

  private static final String SEARCHES =
      """
      SELECT search_id, query, seq FROM search
       WHERE home = ? AND search_id > ? AND live ORDER BY search_id LIMIT ?
      """;

  private final SaveCounts counts = new SaveCounts();

  public List<Member> savers(Tx tx, OfferId offer, String after, int atMost) throws SQLException {
    return page(tx.sql(SAVERS).set(offer.home()).set(offer.number()), after, atMost);
  }

  public List<Member> followers(Tx tx, String seller, String after, int atMost)
      throws SQLException {
    return page(tx.sql(FOLLOWERS).set(Home.of(seller)).set(seller), after, atMost);
  }

  public List<Member> subscribers(Tx tx, String searchId, String after, int atMost)
      throws SQLException {
    return page(tx.sql(SUBSCRIBERS).set(Home.of(searchId)).set(searchId), after, atMost);
  }

  public List<LiveSearch> searches(Tx tx, Home home, String after, int atMost) throws SQLException {
    return tx.sql(SEARCHES)
        .set(home)
        .set(after)
        .set(atMost)
        .list(row -> new LiveSearch(row.textAt(1), Stored.query(row.bytesAt(2)), row.longAt(3)));
  }

  public long saveCount(Tx tx, OfferId offer) throws SQLException {
    return counts.count(tx, offer);
  }

  private static List<Member> page(Sql sql, String after, int atMost) throws SQLException {
    return sql.set(after).set(atMost).list(AudienceStore::member);
  }

  private static Member member(Row row) throws SQLException {
    return new Member(
        row.textAt(1),
        row.instantAt(2),
        Objects.requireNonNullElse(Delivery.forNumber(row.intAt(3)), Delivery.INSTANT));
  }
}
