package dev.torg.offers.store;

import dev.torg.platform.Home;
import dev.torg.platform.Money;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Stores the number of a seller's sales and their proceeds. Both only increase: an offer counts once, when
/// its sale is first recorded, whatever happens to it later.
public final class SellerCounterStore {
  public static final String SOLD = "sold";
  public static final String EARNED = "earned/";

  private static final String RECORD =
      """
      INSERT INTO offer_sale (home, seller, offer_id, amount, currency, at)
      SELECT k.home, k.seller, k.offer_id, nullif(k.amount, -1), k.currency, k.at
        FROM unnest(?::int[], ?::text[], ?::bigint[], ?::bigint[], ?::text[], ?::timestamptz[])
          AS k (home, seller, offer_id, amount, currency, at)
      ON CONFLICT DO NOTHING
      RETURNING home, seller, amount, currency
      """;

  private static final String COUNT =
      """
      INSERT INTO seller_counter AS c (home, seller, counter, value)
      SELECT k.home, k.seller, k.counter, k.change
        FROM unnest(?::int[], ?::text[], ?::text[], ?::bigint[]) AS k (home, seller, counter, change)
       ORDER BY k.home, k.seller, k.counter
      ON CONFLICT (home, seller, counter) DO UPDATE SET value = c.value + EXCLUDED.value
      """;

  private static final String COUNTERS =
      """
      SELECT counter, value::bigint FROM seller_counter
       WHERE home = ? AND seller = ? ORDER BY counter
      """;

  /// An offer sold through Torg. Without a price it adds nothing to the proceeds.
  public record Sale(OfferId offer, String seller, Optional<Money> price, Instant at) {}

  private record Key(Home home, String seller, String counter) {}

  /// Records sales. Sales recorded before have no effect.
  public void record(Tx tx, List<Sale> sales) throws SQLException {
    if (sales.isEmpty()) {
      return;
    }
    Map<Key, Long> changes = new TreeMap<>(SellerCounterStore::inKeyOrder);
    tx.sql(RECORD)
        .homes(sales, sale -> sale.offer().home())
        .texts(sales, Sale::seller)
        .longs(sales, sale -> sale.offer().number())
        .longs(sales, sale -> sale.price().map(Money::amount).orElse(-1L))
        .texts(sales, sale -> sale.price().map(Money::currency).orElse(null))
        .instants(sales, Sale::at)
        .each(
            row -> {
              Home home = row.homeAt(1);
              String seller = row.textAt(2);
              changes.merge(new Key(home, seller, SOLD), 1L, Long::sum);
              Optional<String> currency = row.optionalTextAt(4);
              if (currency.isPresent()) {
                changes.merge(
                    new Key(home, seller, EARNED + currency.get()), row.longAt(3), Long::sum);
              }
            });
    count(tx, changes);
  }

  private static void count(Tx tx, Map<Key, Long> changes) throws SQLException {
    if (changes.isEmpty()) {
      return;
    }
    List<Map.Entry<Key, Long>> rows = new ArrayList<>(changes.entrySet());
    tx.sql(COUNT)
        .homes(rows, row -> row.getKey().home())
        .texts(rows, row -> row.getKey().seller())
        .texts(rows, row -> row.getKey().counter())
        .longs(rows, Map.Entry::getValue)
        .update();
  }

  public Map<String, Long> counters(Tx tx, String seller) throws SQLException {
    Map<String, Long> counters = new TreeMap<>();
    tx.sql(COUNTERS)
        .set(Home.of(seller))
        .set(seller)
        .each(row -> counters.put(row.textAt(1), row.longAt(2)));
    return counters;
  }

  private static int inKeyOrder(Key a, Key b) {
    int homes = a.home().compareTo(b.home());
    int sellers = homes != 0 ? homes : a.seller().compareTo(b.seller());
    return sellers != 0 ? sellers : a.counter().compareTo(b.counter());
  }
}
