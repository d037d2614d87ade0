package dev.torg.promotions.intent;

import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// SQL over intents, in the sellers' homes. A transaction that changes intents locks the rows of their sellers first
/// ([LockedIntents]), so that the number of intents that wait for a balance is exact.
final class IntentStore {
  /// Names of services do not contain it.
  private static final String SEPARATOR = ",";

  private static final BatchColumns<IntentKey> KEYS =
      BatchColumns.of(IntentKey::home)
          .texts("seller", IntentKey::seller)
          .texts("external_id", IntentKey::externalId);

  private static final String COLUMNS =
      """
      i.seller, i.external_id, i.services, i.state, i.version, i.arrived, i.attempts, i.offer_id, i.run_at
      """
          .strip();

  private static final BatchSql<IntentKey> FIND =
      KEYS.sql(
          """
          SELECT %s FROM :batch(k)
            JOIN promotion_intent i ON i.home = k.home AND i.seller = k.seller
             AND i.external_id = k.external_id
           WHERE :shard(i)
          """
              .formatted(COLUMNS));

  private static final BatchSql<IntentKey> LOCK =
      KEYS.sql(
          """
          SELECT %s FROM :batch(k)
            JOIN promotion_intent i ON i.home = k.home AND i.seller = k.seller
             AND i.external_id = k.external_id
           WHERE :shard(i)
           ORDER BY i.home, i.seller, i.external_id FOR UPDATE OF i
          """
              .formatted(COLUMNS));

  private static final BatchSql<SellerIntents> LOCK_SELLERS =
      BatchColumns.of(SellerIntents::home)
          .texts("seller", SellerIntents::seller)
          .sql(
              """
              INSERT INTO promotion_intent_seller AS s (home, waiting, notified, seller)
              SELECT k.home, 0, false, k.seller FROM :rows(k) ORDER BY k.home, k.seller
              ON CONFLICT (home, seller) DO UPDATE SET waiting = s.waiting
              RETURNING seller, waiting, notified
              """);

  private static final BatchSql<SellerIntents> UPDATE_SELLERS =
      BatchColumns.of(SellerIntents::home)
          .texts("seller", SellerIntents::seller)
          .ints("waiting", SellerIntents::waiting)
          .booleans("notified", SellerIntents::notified)
          .sql(
              """
              UPDATE promotion_intent_seller s SET waiting = k.waiting, notified = k.notified
                FROM :batch(k)
               WHERE s.home = k.home AND s.seller = k.seller AND :shard(s)
              """);

  private static final BatchSql<Intent> PUT =
      BatchColumns.<Intent>of(intent -> intent.key().home())
          .ints("state", intent -> intent.state().number())
          .ints("attempts", Intent::attempts)
          .longs("version", Intent::version)
          .longs("arrived", Intent::arrived)
          .others("offer_id", "bigint", IntentStore::number)
          .instants("run_at", intent -> intent.runAt().orElse(null))
          .texts("seller", intent -> intent.key().seller())
          .texts("external_id", intent -> intent.key().externalId())
          .texts("services", intent -> String.join(SEPARATOR, intent.services()))
          .sql(
              """
              INSERT INTO promotion_intent
                (home, state, attempts, version, arrived, offer_id, run_at, seller, external_id, services)
              SELECT k.home, k.state, k.attempts, k.version, k.arrived, k.offer_id, k.run_at, k.seller,
                     k.external_id, k.services
                FROM :rows(k) ORDER BY k.home, k.seller, k.external_id
              ON CONFLICT (home, seller, external_id) DO UPDATE
                 SET state = excluded.state, attempts = excluded.attempts, version = excluded.version,
                     arrived = excluded.arrived, offer_id = excluded.offer_id,
                     run_at = excluded.run_at, services = excluded.services
              """);

  private static final BatchSql<Home> HOMES_DUE =
      BatchColumns.<Home>of(home -> home)
          .sql(
              """
              SELECT k.home FROM :rows(k)
               WHERE EXISTS (SELECT FROM promotion_intent i
                              WHERE i.home = k.home AND i.run_at <= ? AND :shard(i))
              """);

  private static final String DUE =
      """
      SELECT %s FROM promotion_intent i WHERE i.home = ? AND i.run_at <= ?
       ORDER BY i.run_at, i.seller, i.external_id LIMIT ?
      """
          .formatted(COLUMNS);

  /// Those that wait for the balance and are not due already.
  private static final String UNPAID =
      """
      SELECT external_id FROM promotion_intent
       WHERE home = ? AND seller = ? AND state = %d AND external_id > ?
       ORDER BY external_id LIMIT ?
      """
          .formatted(IntentState.WAITING_FOR_BALANCE.number());

  private static final String DELETE_REMOVED =
      """
      DELETE FROM promotion_intent WHERE home = ? AND (seller, external_id) IN (
        SELECT seller, external_id FROM promotion_intent
         WHERE home = ? AND state = %d AND arrived < ? LIMIT ?)
      """
          .formatted(IntentState.REMOVED.number());

  Map<IntentKey, Intent> find(Tx tx, Collection<IntentKey> keys) throws SQLException {
    return byKey(tx.sql(FIND, List.copyOf(keys)).list(IntentStore::intent));
  }

  /// Under the locks of the sellers.
  Map<IntentKey, Intent> lock(Tx tx, Collection<IntentKey> keys) throws SQLException {
    return byKey(tx.sql(LOCK, List.copyOf(keys)).list(IntentStore::intent));
  }

  /// Locks the rows of sellers, which are created if they are missing.
  Map<String, SellerIntents> lockSellers(Tx tx, Collection<String> sellers) throws SQLException {
    List<SellerIntents> rows =
        sellers.stream()
            .distinct()
            .map(seller -> new SellerIntents(seller, 0, false))
            .sorted(SellerIntents.ORDER)
            .toList();
    Map<String, SellerIntents> locked = new HashMap<>();
    tx.sql(LOCK_SELLERS, rows)
        .each(
            row ->
                locked.put(
                    row.textAt(1),
                    new SellerIntents(row.textAt(1), row.intAt(2), row.booleanAt(3))));
    return locked;
  }

  void updateSellers(Tx tx, List<SellerIntents> sellers) throws SQLException {
    tx.sql(UPDATE_SELLERS, sellers).update();
  }

  /// Under the locks of the sellers.
  void put(Tx tx, List<Intent> intents) throws SQLException {
    tx.sql(PUT, intents).update();
  }

  List<Home> homesDue(Tx tx, List<Home> homes, Instant now) throws SQLException {
    return tx.sql(HOMES_DUE, homes).set(now).list(row -> row.homeAt(1));
  }

  /// Those that have been due for longest.
  List<Intent> due(Tx tx, Home home, Instant now, int limit) throws SQLException {
    return tx.sql(DUE).set(home).set(now).set(limit).list(IntentStore::intent);
  }

  /// The next intents of a seller that wait for the balance, after the given external id.
  List<IntentKey> unpaid(Tx tx, String seller, String after, int limit) throws SQLException {
    return tx.sql(UNPAID)
        .set(Home.of(seller))
        .set(seller)
        .set(after)
        .set(limit)
        .list(row -> new IntentKey(seller, row.textAt(1)));
  }

  /// @param before in microseconds
  int deleteRemoved(Tx tx, Home home, long before, int limit) throws SQLException {
    return tx.sql(DELETE_REMOVED).set(home).set(home).set(before).set(limit).update();
  }

  private static Map<IntentKey, Intent> byKey(List<Intent> intents) {
    Map<IntentKey, Intent> found = new HashMap<>();
    intents.forEach(intent -> found.put(intent.key(), intent));
    return found;
  }

  private static @Nullable String number(Intent intent) {
    return intent.offer().map(id -> Long.toString(id.number())).orElse(null);
  }

  private static Intent intent(Row row) throws SQLException {
    String services = row.textAt(3);
    return new Intent(
        new IntentKey(row.textAt(1), row.textAt(2)),
        services.isEmpty() ? List.of() : List.of(services.split(SEPARATOR)),
        IntentState.ofNumber(row.intAt(4)),
        row.longAt(5),
        row.longAt(6),
        row.intAt(7),
        row.optionalLongAt(8).map(OfferId::new),
        row.optionalInstantAt(9));
  }
}
