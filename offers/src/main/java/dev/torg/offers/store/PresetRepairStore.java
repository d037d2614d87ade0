package dev.torg.offers.store;

import dev.torg.api.v1.Preset.Name;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// SQL of the repair. The correction of a count is the difference between the count and its rows in
/// one snapshot; `repaired` prevents two repairs from applying the same correction.
public final class PresetRepairStore {
  private static final String NEXT_SELLER =
      """
      SELECT min(seller) FROM (
        SELECT min(seller) AS seller FROM offer WHERE home = ? AND kind = 'offer' AND seller > ?
        UNION ALL SELECT min(seller) FROM seller_preset WHERE home = ? AND seller > ?
        UNION ALL SELECT min(seller) FROM seller_preset_count WHERE home = ? AND seller > ?
        UNION ALL SELECT min(seller) FROM offer_sale WHERE home = ? AND seller > ?
        UNION ALL SELECT min(seller) FROM seller_counter WHERE home = ? AND seller > ?) AS s
      """;

  private static final String OFFERS =
      """
      SELECT created_at, id FROM offer
       WHERE home = ? AND seller = ? AND kind = 'offer' AND (created_at, id) > (?, ?)
       ORDER BY created_at, id LIMIT ?
      """;

  private static final BatchSql<Owned> LISTED =
      BatchColumns.<Owned>of(owned -> owned.offer().home())
          .instants("created_at", Owned::createdAt)
          .longs("id", owned -> owned.offer().number())
          .sql(
              """
              SELECT p.offer_id, p.preset
                FROM :batch(k) CROSS JOIN unnest(?::int[]) AS n (preset)
                JOIN seller_preset p ON p.home = k.home AND p.seller = ? AND p.preset = n.preset
                 AND p.created_at = k.created_at AND p.offer_id = k.id
               WHERE :shard(p)
              """);

  private static final BatchSql<Map.Entry<OfferId, Presets>> SET_PRESETS =
      BatchColumns.<Map.Entry<OfferId, Presets>>of(row -> row.getKey().home())
          .longs("id", row -> row.getKey().number())
          .ints("presets", row -> row.getValue().bits())
          .sql(
              """
              UPDATE offer o SET presets = k.presets FROM :batch(k)
               WHERE o.home = k.home AND o.id = k.id AND o.kind = 'offer' AND :shard(o)
                 AND o.presets <> k.presets
              """);

  private static final String DROP_ORPHANS =
      """
      DELETE FROM seller_preset p
       WHERE p.home = ? AND p.seller = ? AND NOT EXISTS (
         SELECT FROM offer o WHERE o.home = p.home AND o.id = p.offer_id AND o.kind = 'offer'
            AND o.seller = p.seller AND o.created_at = p.created_at)
      """;

  private static final String COUNT_DRIFT =
      """
      SELECT preset, coalesce(r.rows, 0) - coalesce(c.count, 0), coalesce(c.repaired, 0)
        FROM (SELECT preset, count(*) AS rows FROM seller_preset
               WHERE home = ? AND seller = ? GROUP BY preset) AS r
        FULL JOIN (SELECT preset, count, repaired FROM seller_preset_count
                    WHERE home = ? AND seller = ?) AS c USING (preset)
       WHERE coalesce(r.rows, 0) <> coalesce(c.count, 0)
       ORDER BY preset
      """;

  private static final String CORRECT_COUNT =
      """
      INSERT INTO seller_preset_count AS c (home, seller, preset, count, repaired)
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (home, seller, preset)
      DO UPDATE SET count = c.count + EXCLUDED.count, repaired = EXCLUDED.repaired
      WHERE c.repaired = EXCLUDED.repaired - 1
      """;

  private static final String COUNTER_DRIFT =
      """
      WITH sums AS (
        SELECT 'sold' AS counter, count(*)::numeric AS value FROM offer_sale
         WHERE home = ? AND seller = ?
        UNION ALL
        SELECT 'earned/' || currency, sum(amount) FROM offer_sale
         WHERE home = ? AND seller = ? AND currency IS NOT NULL GROUP BY currency)
      SELECT counter, (coalesce(s.value, 0) - coalesce(c.value, 0))::bigint,
             coalesce(c.repaired, 0)
        FROM sums s
        FULL JOIN (SELECT counter, value, repaired FROM seller_counter
                    WHERE home = ? AND seller = ?) AS c USING (counter)
       WHERE coalesce(s.value, 0) <> coalesce(c.value, 0)
       ORDER BY counter
      """;

  private static final String CORRECT_COUNTER =
      """
      INSERT INTO seller_counter AS c (home, seller, counter, value, repaired)
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (home, seller, counter)
      DO UPDATE SET value = c.value + EXCLUDED.value, repaired = EXCLUDED.repaired
      WHERE c.repaired = EXCLUDED.repaired - 1
      """;

  /// An offer of the seller and its position in lists.
  public record Owned(Instant createdAt, OfferId offer) {}

  /// The difference between a count or counter and its correct value.
  private record Drift(String name, long difference, int repaired) {}

  public Optional<String> nextSeller(Tx tx, Home home, String after) throws SQLException {
    var sql = tx.sql(NEXT_SELLER);
    for (int table = 0; table < 5; table++) {
      sql.set(home).set(after);
    }
    return sql.list(row -> row.optionalTextAt(1)).getFirst();
  }

  public List<Owned> offers(Tx tx, String seller, Owned after, int limit) throws SQLException {
    return tx.sql(OFFERS)
        .set(Home.of(seller))
        .set(seller)
        .set(after.createdAt())
        .set(after.offer().number())
        .set(limit)
        .list(row -> new Owned(row.instantAt(1), new OfferId(row.longAt(2))));
  }

  /// The presets that list these offers now.
  public Map<OfferId, Set<Name>> listed(Tx tx, String seller, List<Owned> offers)
      throws SQLException {
    Map<OfferId, Set<Name>> listed = new HashMap<>();
    tx.sql(LISTED, offers)
        .ints(Presets.NAMES, Name::getNumber)
        .set(seller)
        .each(
            row ->
                listed
                    .computeIfAbsent(new OfferId(row.longAt(1)), _ -> new HashSet<>())
                    .add(Name.forNumber(row.intAt(2))));
    return listed;
  }

  public void setPresets(Tx tx, Map<OfferId, Presets> presets) throws SQLException {
    tx.sql(SET_PRESETS, List.copyOf(presets.entrySet())).update();
  }

  /// Deletes preset rows without an offer. Returns how many.
  public int dropOrphans(Tx tx, String seller) throws SQLException {
    return tx.sql(DROP_ORPHANS).set(Home.of(seller)).set(seller).update();
  }

  /// Returns how many counts were corrected.
  public int correctCounts(Tx tx, String seller) throws SQLException {
    Home home = Home.of(seller);
    List<Drift> drifts =
        tx.sql(COUNT_DRIFT)
            .set(home)
            .set(seller)
            .set(home)
            .set(seller)
            .list(row -> new Drift(row.textAt(1), row.longAt(2), row.intAt(3)));
    int corrected = 0;
    for (Drift drift : drifts) {
      corrected +=
          tx.sql(CORRECT_COUNT)
              .set(home)
              .set(seller)
              .set(Integer.parseInt(drift.name()))
              .set(drift.difference())
              .set(drift.repaired() + 1)
              .update();
    }
    return corrected;
  }

  /// Returns how many counters were corrected.
  public int correctCounters(Tx tx, String seller) throws SQLException {
    Home home = Home.of(seller);
    var sql = tx.sql(COUNTER_DRIFT);
    for (int use = 0; use < 3; use++) {
      sql.set(home).set(seller);
    }
    int corrected = 0;
    for (Drift drift : sql.list(row -> new Drift(row.textAt(1), row.longAt(2), row.intAt(3)))) {
      corrected +=
          tx.sql(CORRECT_COUNTER)
              .set(home)
              .set(seller)
              .set(drift.name())
              .set(drift.difference())
              .set(drift.repaired() + 1)
              .update();
    }
    return corrected;
  }
}
