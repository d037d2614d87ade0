package dev.torg.favorites;

import dev.torg.api.v1.DeliverySettings;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.SearchQuery;
import dev.torg.favorites.write.FavoriteEvents;
import dev.torg.favorites.write.FavoriteKey;
import dev.torg.favorites.write.FavoriteRow;
import dev.torg.favorites.write.FavoritesStore;
import dev.torg.platform.Home;
import dev.torg.platform.db.HomedSql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Asks readers' own rows, in the transaction that tells them something: which reasons still hold.
///
/// [#lockForShare] locks the owners' rows FOR SHARE, in the order of their keys: until the transaction ends
/// nobody saves, removes or changes anything of these readers, and none of them moves. It comes
/// before anything else that the transaction locks. Where tables are distributed, all readers of a
/// call are of one home.
public final class AlertRules {
  private static final HomedSql HOLD =
      HomedSql.of(
          """
          SELECT o.owner, o.moved_to FROM unnest(?::int[], ?::text[]) AS k (home, owner)
            JOIN favorite_owner o ON o.home = k.home AND o.owner = k.owner
           WHERE :home(o) ORDER BY o.home, o.owner FOR SHARE OF o
          """);

  private static final HomedSql LOCK_PRICES =
      HomedSql.of(
          """
          SELECT f.owner, f.favorite_id, f.price_hash, f.price_version
            FROM unnest(?::int[], ?::text[], ?::text[]) AS k (home, owner, id)
            JOIN favorite f ON f.home = k.home AND f.owner = k.owner AND f.kind = 1
                           AND f.favorite_id = k.id
           WHERE :home(f) ORDER BY f.home, f.owner, f.favorite_id FOR UPDATE OF f
          """);

  private static final HomedSql UPDATE_KNOWN_PRICES =
      HomedSql.of(
          """
          UPDATE favorite f SET price_hash = k.hash, price_version = k.version
            FROM unnest(?::int[], ?::text[], ?::text[], ?::bigint[], ?::bigint[])
              AS k (home, owner, id, hash, version)
           WHERE f.home = k.home AND f.owner = k.owner AND f.kind = 1 AND f.favorite_id = k.id
             AND :home(f)
          """);

  private static final HomedSql COUNT_MATCHES =
      HomedSql.of(
          """
          UPDATE favorite f
             SET new_matches = f.new_matches + k.n,
                 last_notified_at = greatest(f.last_notified_at, ?::timestamptz)
            FROM unnest(?::int[], ?::text[], ?::text[], ?::int[]) AS k (home, owner, id, n)
           WHERE f.home = k.home AND f.owner = k.owner AND f.kind = 2 AND f.favorite_id = k.id
             AND :home(f)
          """);

  private static final String SEARCHES =
      """
      SELECT f.owner, f.kind, f.favorite_id, f.created_at, f.delivery, f.size, f.price_hash,
             f.price_version, f.new_matches, f.last_notified_at, f.name, f.body
        FROM favorite f
       WHERE f.home = ? AND f.owner = ? AND f.kind = 2 AND f.delivery = ANY (?::int[])
         AND (f.created_at, f.favorite_id) < (?, ?)
       ORDER BY f.created_at DESC, f.favorite_id DESC LIMIT ?
      """;

  private static final HomedSql SEARCHES_OF =
      HomedSql.of(
          """
          SELECT s.owner, s.kind, s.favorite_id, s.created_at, s.delivery, s.size, s.price_hash,
                 s.price_version, s.new_matches, s.last_notified_at, s.name, s.body
            FROM unnest(?::int[], ?::text[], ?::timestamptz[], ?::text[])
              AS k (home, owner, created_at, favorite_id)
           CROSS JOIN LATERAL (
             SELECT f.* FROM favorite f
              WHERE f.home = k.home AND f.owner = k.owner AND f.kind = 2 AND f.delivery = ?
                AND (f.created_at, f.favorite_id) < (k.created_at, k.favorite_id) AND :home(f)
              ORDER BY f.created_at DESC, f.favorite_id DESC LIMIT ?) AS s
           ORDER BY s.owner, s.created_at DESC, s.favorite_id DESC
          """);

  /// Whatever the delivery.
  public static final Set<Delivery> ANY_DELIVERY =
      Set.of(Delivery.DELIVERY_UNSPECIFIED, Delivery.INSTANT, Delivery.DAILY, Delivery.OFF);

  /// A price that a reader is told, or would be.
  public record PriceUpdate(String recipient, String offerId, long hash, long version) {
    Home home() {
      return Home.of(recipient);
    }
  }

  /// A search of an owner with its query.
  public record OwnSearch(AlertRule rule, SearchQuery query) {
    public SearchCursor cursor() {
      return new SearchCursor(rule.createdAt(), rule.key().id());
    }
  }

  /// A position among an owner's searches: those saved later, or at that time with a higher id, lie
  /// behind it.
  public record SearchCursor(Instant createdAt, String id) {
    /// Before the first page.
    public static final SearchCursor START = savedBefore(Instant.parse("9999-01-01T00:00:00Z"));

    /// Leaves out everything saved at the given time or later.
    public static SearchCursor savedBefore(Instant time) {
      return new SearchCursor(time, "");
    }
  }

  /// Of these reasons those that still exist, whether OFF or not, held until the transaction ends.
  public LockedAlertRules lockForShare(Tx tx, Collection<AlertRuleKey> keys) throws SQLException {
    Map<String, String> moved =
        lock(tx, keys.stream().map(AlertRuleKey::recipient).distinct().toList());
    List<FavoriteKey> wanted =
        keys.stream()
            .filter(key -> !moved.containsKey(key.recipient()))
            .distinct()
            .map(key -> new FavoriteKey(key.recipient(), key.kind(), key.id()))
            .toList();
    Map<AlertRuleKey, AlertRule> rules = new HashMap<>();
    for (FavoriteRow row : FavoritesStore.boundedRows(tx, wanted)) {
      AlertRule rule = rule(row);
      rules.put(rule.key(), rule);
    }
    return new LockedAlertRules(rules, moved);
  }

  /// Notes that readers are told these prices, where that is news: the offer is still saved, its
  /// version is newer and the price is another one. Those for whom it is. After [#lockForShare] of the same
  /// readers.
  public List<PriceUpdate> updateKnownPrices(Tx tx, List<PriceUpdate> prices) throws SQLException {
    Map<List<String>, long[]> known = lockPrices(tx, prices);
    List<PriceUpdate> news = new ArrayList<>();
    for (PriceUpdate price : prices) {
      long[] told = known.get(List.of(price.recipient(), price.offerId()));
      if (told != null && price.version() > told[1] && price.hash() != told[0]) {
        news.add(price);
      }
    }
    if (!news.isEmpty()) {
      tx.sql(UPDATE_KNOWN_PRICES, news, PriceUpdate::home)
          .homes(news, PriceUpdate::home)
          .texts(news, PriceUpdate::recipient)
          .texts(news, PriceUpdate::offerId)
          .longs(news, PriceUpdate::hash)
          .longs(news, PriceUpdate::version)
          .update();
    }
    return news;
  }

  /// Counts a match for each of these searches of readers.
  public void countMatches(Tx tx, Collection<AlertRuleKey> searches, Instant at)
      throws SQLException {
    Map<AlertRuleKey, Integer> counts = new HashMap<>();
    searches.forEach(key -> counts.merge(key, 1, Integer::sum));
    countMatches(tx, counts, at);
  }

  /// Counts so many matches for each of these searches of readers.
  public void countMatches(Tx tx, Map<AlertRuleKey, Integer> searches, Instant at)
      throws SQLException {
    List<AlertRuleKey> sorted =
        searches.keySet().stream()
            .sorted(Comparator.comparing(AlertRuleKey::recipient).thenComparing(AlertRuleKey::id))
            .toList();
    if (!sorted.isEmpty()) {
      tx.sql(COUNT_MATCHES, sorted, AlertRuleKey::home)
          .set(at)
          .homes(sorted, AlertRuleKey::home)
          .texts(sorted, AlertRuleKey::recipient)
          .texts(sorted, AlertRuleKey::id)
          .ints(sorted, key -> searches.getOrDefault(key, 0))
          .update();
    }
  }

  /// A page of an owner's searches that are delivered in one of these ways, latest first.
  public List<OwnSearch> searches(
      Tx tx, String owner, Set<Delivery> deliveries, SearchCursor after, int atMost)
      throws SQLException {
    return tx
        .sql(SEARCHES)
        .set(Home.of(owner))
        .set(owner)
        .ints(List.copyOf(deliveries), Delivery::getNumber)
        .set(after.createdAt())
        .set(after.id())
        .set(atMost)
        .list(FavoritesStore::row)
        .stream()
        .map(row -> new OwnSearch(rule(row), FavoriteEvents.search(row).getQuery()))
        .toList();
  }

  /// A page of each of these owners' searches that are delivered in this way: by owner, latest first. One
  /// query for all of them.
  ///
  /// @param after where the page of each owner begins
  /// @param atMost searches of one owner
  public List<OwnSearch> searches(
      Tx tx, Map<String, SearchCursor> after, Delivery delivery, int atMost) throws SQLException {
    List<Map.Entry<String, SearchCursor>> owners = List.copyOf(after.entrySet());
    if (owners.isEmpty()) {
      return List.of();
    }
    return tx
        .sql(SEARCHES_OF, owners, owner -> Home.of(owner.getKey()))
        .homes(owners, owner -> Home.of(owner.getKey()))
        .texts(owners, Map.Entry::getKey)
        .instants(owners, owner -> owner.getValue().createdAt())
        .texts(owners, owner -> owner.getValue().id())
        .set(delivery.getNumber())
        .set(atMost)
        .list(FavoritesStore::row)
        .stream()
        .map(row -> new OwnSearch(rule(row), FavoriteEvents.search(row).getQuery()))
        .toList();
  }

  /// Rules of an owner as they are, without holding them.
  public Map<AlertRuleKey, AlertRule> rules(Tx tx, Collection<AlertRuleKey> keys)
      throws SQLException {
    Map<AlertRuleKey, AlertRule> found = new HashMap<>();
    List<FavoriteKey> wanted =
        keys.stream()
            .distinct()
            .map(key -> new FavoriteKey(key.recipient(), key.kind(), key.id()))
            .toList();
    FavoritesStore.boundedRows(tx, wanted).forEach(row -> found.put(rule(row).key(), rule(row)));
    return found;
  }

  private static Map<String, String> lock(Tx tx, List<String> readers) throws SQLException {
    Map<String, String> moved = new HashMap<>();
    if (!readers.isEmpty()) {
      tx.sql(HOLD, readers, Home::of)
          .homes(readers, Home::of)
          .texts(readers, reader -> reader)
          .each(
              row -> {
                String reader = row.textAt(1);
                row.optionalTextAt(2).ifPresent(login -> moved.put(reader, login));
              });
    }
    return moved;
  }

  private static Map<List<String>, long[]> lockPrices(Tx tx, List<PriceUpdate> prices)
      throws SQLException {
    Map<List<String>, long[]> known = new HashMap<>();
    if (!prices.isEmpty()) {
      tx.sql(LOCK_PRICES, prices, PriceUpdate::home)
          .homes(prices, PriceUpdate::home)
          .texts(prices, PriceUpdate::recipient)
          .texts(prices, PriceUpdate::offerId)
          .each(
              row ->
                  known.put(
                      List.of(row.textAt(1), row.textAt(2)),
                      new long[] {row.longAt(3), row.longAt(4)}));
    }
    return known;
  }

  private static AlertRule rule(FavoriteRow row) {
    boolean delivers = row.kind() == FavoriteKind.SEARCH || row.kind() == FavoriteKind.SELLER;
    DeliverySettings settings =
        delivers
            ? FavoriteEvents.settings(row)
            : DeliverySettings.newBuilder().setDelivery(Delivery.INSTANT).build();
    return new AlertRule(
        new AlertRuleKey(row.owner(), row.kind(), row.id()),
        row.createdAt(),
        settings.getDelivery(),
        settings.getChannelsList(),
        row.name(),
        row.priceHash(),
        row.priceVersion());
  }
}
