package dev.torg.promotions.intent;

import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Intents that a transaction has locked, together with their sellers, and what it changes of them.
final class LockedIntents {
  private final IntentStore store;
  private final Map<String, SellerIntents> sellers;
  private final Map<IntentKey, Intent> stored;
  private final Map<IntentKey, Intent> changed = new LinkedHashMap<>();

  private LockedIntents(
      IntentStore store, Map<String, SellerIntents> sellers, Map<IntentKey, Intent> stored) {
    this.store = store;
    this.sellers = sellers;
    this.stored = stored;
  }

  /// The intents are of one shard; they need not exist.
  static LockedIntents lock(Tx tx, IntentStore store, Collection<IntentKey> keys)
      throws SQLException {
    List<IntentKey> sorted = keys.stream().distinct().sorted(IntentKey.ORDER).toList();
    Map<String, SellerIntents> sellers =
        store.lockSellers(tx, sorted.stream().map(IntentKey::seller).toList());
    return new LockedIntents(store, sellers, store.lock(tx, sorted));
  }

  /// In its latest state; removed ones, too.
  Optional<Intent> find(IntentKey key) {
    Intent latest = changed.get(key);
    return Optional.ofNullable(latest == null ? stored.get(key) : latest);
  }

  void put(Intent intent) {
    changed.put(intent.key(), intent);
  }

  /// Writes the changes. Returns the sellers of which some intents wait for the balance and who were not notified of it:
  /// they are marked as notified.
  ///
  /// @param candidates the sellers to whom it may happen: those of which an intent was examined and found unpaid
  Set<String> write(Tx tx, Set<String> candidates) throws SQLException {
    Map<String, SellerIntents> next = new HashMap<>(sellers);
    changed.values().forEach(intent -> count(intent, next));
    Set<String> notify = new TreeSet<>();
    for (String seller : candidates) {
      SellerIntents row = Objects.requireNonNull(next.get(seller));
      if (row.waiting() > 0 && !row.notified()) {
        next.put(seller, row.withNotified());
        notify.add(seller);
      }
    }
    store.put(tx, List.copyOf(changed.values()));
    store.updateSellers(tx, differing(next));
    return notify;
  }

  private void count(Intent intent, Map<String, SellerIntents> next) {
    int before = isUnpaid(stored.get(intent.key())) ? 1 : 0;
    int after = isUnpaid(intent) ? 1 : 0;
    next.computeIfPresent(
        intent.key().seller(), (_, row) -> after == before ? row : row.waitingMore(after - before));
  }

  private List<SellerIntents> differing(Map<String, SellerIntents> next) {
    List<SellerIntents> rows = new ArrayList<>(next.values());
    rows.removeIf(row -> row.equals(sellers.get(row.seller())));
    return rows;
  }

  private static boolean isUnpaid(@Nullable Intent intent) {
    return intent != null && intent.state() == IntentState.WAITING_FOR_BALANCE;
  }
}
