package dev.torg.favorites.projection;

import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Tx;
import dev.torg.platform.projection.Projection.Change;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// SQL over save counts. The count of an offer is the sum of its slots. A slot belongs to a few partitions
/// of the topic, and so to one or a few consumers, so consumers do not wait for each other, however many
/// users save one offer. A user's events are always in one partition, so a removal changes the slot that
/// counted the saving.
final class SaveCountStore {
  private static final int SLOTS = 16;

  private static final BatchSql<Map.Entry<OfferId, Integer>> ADD =
      BatchColumns.<Map.Entry<OfferId, Integer>>of(change -> change.getKey().home())
          .longs("offer_id", change -> change.getKey().number())
          .ints("count", Map.Entry::getValue)
          .sql(
              """
              INSERT INTO offer_save_count (home, offer_id, slot, count)
              SELECT k.home, k.offer_id, ?::int, k.count FROM :rows(k)
               ORDER BY k.home, k.offer_id
              ON CONFLICT (home, offer_id, slot)
                DO UPDATE SET count = offer_save_count.count + excluded.count
              """);

  private static final String COUNT =
      "SELECT coalesce(sum(count), 0) FROM offer_save_count WHERE home = ? AND offer_id = ?";

  void add(Tx tx, int partition, List<Change<Subscription>> changes) throws SQLException {
    Map<OfferId, Integer> differences = new TreeMap<>();
    changes.forEach(
        change ->
            differences.merge(
                new OfferId(change.source().row().offer()), change.difference(), Integer::sum));
    differences.values().removeIf(difference -> difference == 0);
    tx.sql(ADD, List.copyOf(differences.entrySet())).set(partition % SLOTS).update();
  }

  long count(Tx tx, OfferId offer) throws SQLException {
    Home home = offer.home();
    return tx.sql(COUNT).set(home).set(offer.number()).first(row -> row.longAt(1)).orElse(0L);
  }
}
