package dev.torg.alerts.storm;

import dev.torg.alerts.event.OfferPositions;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.EachShard;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// SQL that numbers the offers of storms per seller, in the seller's home. An offer keeps its position;
/// positions are never reused. The seller's row is locked while positions are assigned. A transaction
/// that sees a `last_position` sees every offer up to it, because both commit together.
public final class StormStore {
  private static final String ADD =
      """
      INSERT INTO storm (home, seller, last_position, last_seq) VALUES (?, ?, 0, 0)
      ON CONFLICT (home, seller) DO NOTHING
      """;

  private static final String LOCK =
      "SELECT last_position FROM storm WHERE home = ? AND seller = ? FOR UPDATE";

  private static final String SELECT_NUMBERED =
      "SELECT offer_id, position FROM storm_offer WHERE home = ? AND offer_id = ANY (?::bigint[])";

  private static final BatchSql<Numbered> NUMBER =
      BatchColumns.<Numbered>of(row -> row.id().home())
          .longs("offer_id", row -> row.id().number())
          .ints("position", Numbered::position)
          .instants("activated_at", Numbered::activatedAt)
          .sql(
              """
              INSERT INTO storm_offer (home, seller, offer_id, position, activated_at)
              SELECT k.home, ?, k.offer_id, k.position, k.activated_at FROM :rows(k)
              """);

  private static final String SET_LAST =
      "UPDATE storm SET last_position = ? WHERE home = ? AND seller = ?";

  private static final String OFFERS =
      """
      SELECT position, offer_id, activated_at FROM storm_offer
       WHERE home = ? AND seller = ? AND position BETWEEN ? AND ? ORDER BY position
      """;

  private static final String OFFERS_AT =
      """
      SELECT offer_id FROM storm_offer
       WHERE home = ? AND seller = ? AND position = ANY (?::int[]) ORDER BY position
      """;

  private static final BatchSql<String> LAST =
      BatchColumns.<String>of(Home::of)
          .texts("seller", seller -> seller)
          .sql(
              """
              SELECT s.seller, s.last_position FROM :batch(k)
                JOIN storm s ON s.home = k.home AND s.seller = k.seller
               WHERE :shard(s)
              """);

  private static final BatchSql<OfferId> POSITIONS =
      BatchColumns.of(OfferId::home)
          .longs("offer_id", OfferId::number)
          .sql(
              """
              SELECT o.offer_id, o.position FROM :batch(k)
                JOIN storm_offer o ON o.home = k.home AND o.offer_id = k.offer_id
               WHERE :shard(o)
              """);

  private static final String SWEEP =
      """
      DELETE FROM storm_offer WHERE home = ? AND offer_id IN (
        SELECT offer_id FROM storm_offer WHERE home = ? AND activated_at < ? LIMIT ?)
      """;

  /// An offer of a storm.
  public record StormOffer(OfferId id, Instant activatedAt) {}

  /// The same with its position.
  public record Numbered(int position, OfferId id, Instant activatedAt) {}

  /// An offer and its seller.
  public record Sold(OfferId offer, String seller) {}

  /// The positions of offers as read, and the last position of each seller read before: an offer without
  /// a position here has none up to `last` of its seller.
  public record NumberedOffers(Map<OfferId, Integer> positions, Map<String, Integer> last) {
    public static final NumberedOffers NONE = new NumberedOffers(Map.of(), Map.of());

    public int last(String seller) {
      return last.getOrDefault(seller, 0);
    }
  }

  /// Assigns positions to offers without one, and returns the positions of all.
  public Map<OfferId, Integer> number(Tx tx, String seller, Collection<StormOffer> offers)
      throws SQLException {
    Home home = Home.of(seller);
    tx.sql(ADD).set(home).set(seller).update();
    int last = tx.sql(LOCK).set(home).set(seller).first(row -> row.intAt(1)).orElseThrow();
    TreeMap<OfferId, StormOffer> all = new TreeMap<>();
    offers.forEach(offer -> all.put(offer.id(), offer));
    Map<OfferId, Integer> positions = numbered(tx, home, List.copyOf(all.keySet()));
    List<Numbered> numbered = new ArrayList<>();
    for (StormOffer offer : all.values()) {
      if (!positions.containsKey(offer.id())) {
        last++;
        numbered.add(new Numbered(last, offer.id(), offer.activatedAt()));
        positions.put(offer.id(), last);
      }
    }
    if (!numbered.isEmpty()) {
      insert(tx, home, seller, numbered, last);
    }
    return positions;
  }

  private static Map<OfferId, Integer> numbered(Tx tx, Home home, List<OfferId> offers)
      throws SQLException {
    Map<OfferId, Integer> positions = new HashMap<>();
    tx.sql(SELECT_NUMBERED)
        .set(home)
        .longs(offers, OfferId::number)
        .each(row -> positions.put(new OfferId(row.longAt(1)), row.intAt(2)));
    return positions;
  }

  private static void insert(Tx tx, Home home, String seller, List<Numbered> rows, int last)
      throws SQLException {
    tx.sql(NUMBER, rows).set(seller).update();
    tx.sql(SET_LAST).set(last).set(home).set(seller).update();
  }

  /// The offers of a seller from one position to another, in their order.
  public List<Numbered> offers(Tx tx, String seller, int first, int last) throws SQLException {
    return tx.sql(OFFERS)
        .set(Home.of(seller))
        .set(seller)
        .set(first)
        .set(last)
        .list(row -> new Numbered(row.intAt(1), new OfferId(row.longAt(2)), row.instantAt(3)));
  }

  /// The offers at these positions.
  List<OfferId> offersAt(Tx tx, String seller, OfferPositions positions) throws SQLException {
    return tx.sql(OFFERS_AT)
        .set(Home.of(seller))
        .set(seller)
        .ints(positions.toArray())
        .list(row -> new OfferId(row.longAt(1)));
  }

  /// The positions of these offers. Sellers are read first: an offer numbered in between is beyond
  /// `last`.
  public NumberedOffers numbered(Database database, Collection<Sold> sold) {
    Set<String> sellers = sold.stream().map(Sold::seller).collect(Collectors.toSet());
    Map<String, Integer> last = new HashMap<>();
    EachShard.map(
            database.shards().split(sellers, Home::of),
            shard -> database.read(tx -> last(tx, shard)))
        .forEach(last::putAll);
    Set<OfferId> stormy = new HashSet<>();
    sold.stream().filter(s -> last.containsKey(s.seller())).forEach(s -> stormy.add(s.offer()));
    Map<OfferId, Integer> positions = new HashMap<>();
    EachShard.map(
            database.shards().split(stormy, OfferId::home),
            shard -> database.read(tx -> positions(tx, shard)))
        .forEach(positions::putAll);
    return new NumberedOffers(positions, last);
  }

  private static Map<String, Integer> last(Tx tx, List<String> sellers) throws SQLException {
    Map<String, Integer> last = new HashMap<>();
    tx.sql(LAST, sellers).each(row -> last.put(row.textAt(1), row.intAt(2)));
    return last;
  }

  private static Map<OfferId, Integer> positions(Tx tx, List<OfferId> offers) throws SQLException {
    Map<OfferId, Integer> positions = new HashMap<>();
    tx.sql(POSITIONS, offers).each(row -> positions.put(new OfferId(row.longAt(1)), row.intAt(2)));
    return positions;
  }

  /// Deletes offers that are too old for alerts; their positions stay used.
  int sweep(Tx tx, Home home, Instant activatedBefore, int limit) throws SQLException {
    return tx.sql(SWEEP).set(home).set(home).set(activatedBefore).set(limit).update();
  }
}
