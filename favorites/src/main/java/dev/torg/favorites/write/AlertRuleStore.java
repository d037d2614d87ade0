package dev.torg.favorites.write;

import dev.torg.api.v1.DeliverySettings;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.favorites.AlertRule;
import dev.torg.favorites.AlertRuleKey;
import dev.torg.favorites.AlertRules;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.LockedAlertRules;
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

/// SQL behind [AlertRules], over the tables of [FavoritesStore].
public final class AlertRuleStore implements AlertRules {
  private static final HomedSql LOCK_OWNERS =
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
            JOIN favorite f ON f.home = k.home AND f.owner = k.owner AND f.kind = %d
                           AND f.favorite_id = k.id
           WHERE :home(f) ORDER BY f.home, f.owner, f.favorite_id FOR UPDATE OF f
          """
              .formatted(FavoriteKind.OFFER.number()));

  private static final HomedSql UPDATE_KNOWN_PRICES =
      HomedSql.of(
          """
          UPDATE favorite f SET price_hash = k.hash, price_version = k.version
            FROM unnest(?::int[], ?::text[], ?::text[], ?::bigint[], ?::bigint[])
              AS k (home, owner, id, hash, version)
           WHERE f.home = k.home AND f.owner = k.owner AND f.kind = %d AND f.favorite_id = k.id
             AND :home(f)
          """
              .formatted(FavoriteKind.OFFER.number()));

  private static final HomedSql COUNT_MATCHES =
      HomedSql.of(
          """
          UPDATE favorite f
             SET new_matches = f.new_matches + k.n,
                 last_notified_at = greatest(f.last_notified_at, ?::timestamptz)
            FROM unnest(?::int[], ?::text[], ?::text[], ?::int[]) AS k (home, owner, id, n)
           WHERE f.home = k.home AND f.owner = k.owner AND f.kind = %d AND f.favorite_id = k.id
             AND :home(f)
          """
              .formatted(FavoriteKind.SEARCH.number()));

  private static final String SEARCHES =
      """
      SELECT %s FROM favorite f
       WHERE f.home = ? AND f.owner = ? AND f.kind = %d AND f.delivery = ANY (?::int[])
         AND (f.created_at, f.favorite_id) < (?, ?)
       ORDER BY f.created_at DESC, f.favorite_id DESC LIMIT ?
      """
          .formatted(FavoritesStore.COLUMNS, FavoriteKind.SEARCH.number());

  private static final HomedSql SEARCHES_OF_OWNERS =
      HomedSql.of(
          """
          SELECT %s
            FROM unnest(?::int[], ?::text[], ?::timestamptz[], ?::text[])
              AS k (home, owner, created_at, favorite_id)
           CROSS JOIN LATERAL (
             SELECT * FROM favorite f
              WHERE f.home = k.home AND f.owner = k.owner AND f.kind = %d AND f.delivery = ?
                AND (f.created_at, f.favorite_id) < (k.created_at, k.favorite_id) AND :home(f)
              ORDER BY f.created_at DESC, f.favorite_id DESC LIMIT ?) AS f
           ORDER BY f.owner, f.created_at DESC, f.favorite_id DESC
          """
              .formatted(FavoritesStore.COLUMNS, FavoriteKind.SEARCH.number()));

  @Override
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

  @Override
  public List<PriceUpdate> updateKnownPrices(Tx tx, List<PriceUpdate> prices) throws SQLException {
    Map<List<String>, long[]> stored = lockPrices(tx, prices);
    List<PriceUpdate> changed = new ArrayList<>();
    for (PriceUpdate price : prices) {
      long[] known = stored.get(List.of(price.recipient(), price.offerId()));
      if (known != null && price.version() > known[1] && price.hash() != known[0]) {
        changed.add(price);
      }
    }
    if (!changed.isEmpty()) {
      tx.sql(UPDATE_KNOWN_PRICES, changed, PriceUpdate::home)
          .homes(changed, PriceUpdate::home)
          .texts(changed, PriceUpdate::recipient)
          .texts(changed, PriceUpdate::offerId)
          .longs(changed, PriceUpdate::hash)
          .longs(changed, PriceUpdate::version)
          .update();
    }
    return changed;
  }

  @Override
  public void countMatches(Tx tx, Collection<AlertRuleKey> searches, Instant at)
      throws SQLException {
    Map<AlertRuleKey, Integer> counts = new HashMap<>();
    searches.forEach(key -> counts.merge(key, 1, Integer::sum));
    countMatches(tx, counts, at);
  }

  @Override
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

  @Override
  public List<OwnSearch> searches(
      Tx tx, String owner, Set<Delivery> deliveries, SearchCursor after, int limit)
      throws SQLException {
    return tx
        .sql(SEARCHES)
        .set(Home.of(owner))
        .set(owner)
        .ints(List.copyOf(deliveries), Delivery::getNumber)
        .set(after.createdAt())
        .set(after.id())
        .set(limit)
        .list(FavoritesStore::row)
        .stream()
        .map(row -> new OwnSearch(rule(row), FavoriteEvents.search(row).getQuery()))
        .toList();
  }

  @Override
  public List<OwnSearch> searches(
      Tx tx, Map<String, SearchCursor> after, Delivery delivery, int limit) throws SQLException {
    List<Map.Entry<String, SearchCursor>> owners = List.copyOf(after.entrySet());
    if (owners.isEmpty()) {
      return List.of();
    }
    return tx
        .sql(SEARCHES_OF_OWNERS, owners, owner -> Home.of(owner.getKey()))
        .homes(owners, owner -> Home.of(owner.getKey()))
        .texts(owners, Map.Entry::getKey)
        .instants(owners, owner -> owner.getValue().createdAt())
        .texts(owners, owner -> owner.getValue().id())
        .set(delivery.getNumber())
        .set(limit)
        .list(FavoritesStore::row)
        .stream()
        .map(row -> new OwnSearch(rule(row), FavoriteEvents.search(row).getQuery()))
        .toList();
  }

  @Override
  public Map<AlertRuleKey, AlertRule> rules(Tx tx, Collection<AlertRuleKey> keys)
      throws SQLException {
    Map<AlertRuleKey, AlertRule> rules = new HashMap<>();
    List<FavoriteKey> wanted =
        keys.stream()
            .distinct()
            .map(key -> new FavoriteKey(key.recipient(), key.kind(), key.id()))
            .toList();
    FavoritesStore.boundedRows(tx, wanted).forEach(row -> rules.put(rule(row).key(), rule(row)));
    return rules;
  }

  private static Map<String, String> lock(Tx tx, List<String> recipients) throws SQLException {
    Map<String, String> moved = new HashMap<>();
    if (!recipients.isEmpty()) {
      tx.sql(LOCK_OWNERS, recipients, Home::of)
          .homes(recipients, Home::of)
          .texts(recipients, recipient -> recipient)
          .each(
              row -> {
                String recipient = row.textAt(1);
                row.optionalTextAt(2).ifPresent(login -> moved.put(recipient, login));
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
