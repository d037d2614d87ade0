package dev.torg.favorites.write;

import dev.torg.api.v1.DeliverySettings;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.favorites.AlertRule;
import dev.torg.favorites.AlertRuleKey;
import dev.torg.favorites.AlertRules;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.LockedAlertRules;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
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
  private static final Comparator<AlertRuleKey> KEY_ORDER =
      Comparator.comparing(AlertRuleKey::recipient).thenComparing(AlertRuleKey::id);

  private static final BatchColumns<PriceUpdate> SAVED_OFFERS =
      BatchColumns.of(PriceUpdate::home)
          .texts("owner", PriceUpdate::recipient)
          .texts("id", PriceUpdate::offerId);

  private static final BatchSql<String> LOCK_OWNERS =
      BatchColumns.<String>of(Home::of)
          .texts("owner", owner -> owner)
          .sql(
              """
              SELECT o.owner, o.moved_to FROM :batch(k)
                JOIN favorite_owner o ON o.home = k.home AND o.owner = k.owner
               WHERE :shard(o) ORDER BY o.home, o.owner FOR SHARE OF o
              """);

  private static final BatchSql<PriceUpdate> LOCK_PRICES =
      SAVED_OFFERS.sql(
          """
          SELECT f.owner, f.favorite_id, f.price_hash, f.price_version
            FROM :batch(k)
            JOIN favorite f ON f.home = k.home AND f.owner = k.owner AND f.kind = %d
                           AND f.favorite_id = k.id
           WHERE :shard(f) ORDER BY f.home, f.owner, f.favorite_id FOR UPDATE OF f
          """
              .formatted(FavoriteKind.OFFER.number()));

  private static final BatchSql<PriceUpdate> UPDATE_KNOWN_PRICES =
      SAVED_OFFERS
          .longs("hash", PriceUpdate::hash)
          .longs("version", PriceUpdate::version)
          .sql(
              """
              UPDATE favorite f SET price_hash = k.hash, price_version = k.version
                FROM :batch(k)
               WHERE f.home = k.home AND f.owner = k.owner AND f.kind = %d AND f.favorite_id = k.id
                 AND :shard(f)
              """
                  .formatted(FavoriteKind.OFFER.number()));

  private static final BatchSql<Map.Entry<AlertRuleKey, Integer>> COUNT_MATCHES =
      BatchColumns.<Map.Entry<AlertRuleKey, Integer>>of(search -> search.getKey().home())
          .texts("owner", search -> search.getKey().recipient())
          .texts("id", search -> search.getKey().id())
          .ints("n", Map.Entry::getValue)
          .sql(
              """
              UPDATE favorite f
                 SET new_matches = f.new_matches + k.n,
                     last_notified_at = greatest(f.last_notified_at, ?::timestamptz)
                FROM :batch(k)
               WHERE f.home = k.home AND f.owner = k.owner AND f.kind = %d AND f.favorite_id = k.id
                 AND :shard(f)
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

  private static final BatchSql<Map.Entry<String, SearchCursor>> SEARCHES_OF_OWNERS =
      BatchColumns.<Map.Entry<String, SearchCursor>>of(owner -> Home.of(owner.getKey()))
          .texts("owner", Map.Entry::getKey)
          .instants("created_at", owner -> owner.getValue().createdAt())
          .texts("favorite_id", owner -> owner.getValue().id())
          .sql(
              """
              SELECT %s
                FROM :batch(k)
               CROSS JOIN LATERAL (
                 SELECT * FROM favorite f
                  WHERE f.home = k.home AND f.owner = k.owner AND f.kind = %d AND f.delivery = ?
                    AND (f.created_at, f.favorite_id) < (k.created_at, k.favorite_id)
                    AND :shard(f)
                  ORDER BY f.created_at DESC, f.favorite_id DESC LIMIT ?) AS f
               ORDER BY f.owner, f.created_at DESC, f.favorite_id DESC
              """
                  .formatted(FavoritesStore.COLUMNS, FavoriteKind.SEARCH.number()));

  @Override
  public LockedAlertRules lockForShare(Tx tx, Collection<AlertRuleKey> keys) throws SQLException {
    Map<String, String> mergedInto =
        lock(tx, keys.stream().map(AlertRuleKey::recipient).distinct().toList());
    List<FavoriteKey> favorites =
        keys.stream()
            .filter(key -> !mergedInto.containsKey(key.recipient()))
            .distinct()
            .map(key -> new FavoriteKey(key.recipient(), key.kind(), key.id()))
            .toList();
    Map<AlertRuleKey, AlertRule> rules = new HashMap<>();
    for (FavoriteRow row : FavoritesStore.boundedRows(tx, favorites)) {
      AlertRule rule = rule(row);
      rules.put(rule.key(), rule);
    }
    return new LockedAlertRules(rules, mergedInto);
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
    tx.sql(UPDATE_KNOWN_PRICES, changed).update();
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
    List<Map.Entry<AlertRuleKey, Integer>> sorted =
        searches.entrySet().stream().sorted(Map.Entry.comparingByKey(KEY_ORDER)).toList();
    tx.sql(COUNT_MATCHES, sorted).set(at).update();
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
    return tx
        .sql(SEARCHES_OF_OWNERS, owners)
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
    List<FavoriteKey> favorites =
        keys.stream()
            .distinct()
            .map(key -> new FavoriteKey(key.recipient(), key.kind(), key.id()))
            .toList();
    FavoritesStore.boundedRows(tx, favorites).forEach(row -> rules.put(rule(row).key(), rule(row)));
    return rules;
  }

  private static Map<String, String> lock(Tx tx, List<String> recipients) throws SQLException {
    Map<String, String> mergedInto = new HashMap<>();
    tx.sql(LOCK_OWNERS, recipients)
        .each(
            row -> {
              String recipient = row.textAt(1);
              row.optionalTextAt(2).ifPresent(login -> mergedInto.put(recipient, login));
            });
    return mergedInto;
  }

  private static Map<List<String>, long[]> lockPrices(Tx tx, List<PriceUpdate> prices)
      throws SQLException {
    Map<List<String>, long[]> known = new HashMap<>();
    tx.sql(LOCK_PRICES, prices)
        .each(
            row ->
                known.put(
                    List.of(row.textAt(1), row.textAt(2)),
                    new long[] {row.longAt(3), row.longAt(4)}));
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
