package dev.torg.offers.store;

import dev.torg.platform.Home;
import dev.torg.platform.Money;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Stores the number of a seller's sales and their proceeds. Both only increase: an offer counts once, when
/// its sale is first recorded, whatever happens to it later.
public final class SellerCounterStore {
  public static final String SOLD = "sold";
  public static final String EARNED = "earned/";

  private static final BatchSql<Sale> RECORD =
      BatchColumns.<Sale>of(sale -> sale.offer().home())
          .texts("seller", Sale::seller)
          .longs("offer_id", sale -> sale.offer().number())
          .longs("amount", sale -> sale.price().map(Money::amount).orElse(-1L))
          .texts("currency", sale -> sale.price().map(Money::currency).orElse(null))
          .instants("at", Sale::at)
          .sql(
              """
              INSERT INTO offer_sale (home, seller, offer_id, amount, currency, at)
              SELECT k.home, k.seller, k.offer_id, nullif(k.amount, -1), k.currency, k.at
                FROM :rows(k)
              ON CONFLICT DO NOTHING
              RETURNING home, seller, amount, currency
              """);

  private static final BatchSql<Map.Entry<Key, Long>> COUNT =
      BatchColumns.<Map.Entry<Key, Long>>of(change -> change.getKey().home())
          .texts("seller", change -> change.getKey().seller())
          .texts("counter", change -> change.getKey().counter())
          .longs("change", Map.Entry::getValue)
          .sql(
              """
              INSERT INTO seller_counter AS c (home, seller, counter, value)
              SELECT k.home, k.seller, k.counter, k.change FROM :rows(k)
               ORDER BY k.home, k.seller, k.counter
              ON CONFLICT (home, seller, counter) DO UPDATE SET value = c.value + EXCLUDED.value
              """);

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
    Map<Key, Long> changes = new TreeMap<>(SellerCounterStore::inKeyOrder);
    tx.sql(RECORD, sales)
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
    tx.sql(COUNT, List.copyOf(changes.entrySet())).update();
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
