package dev.torg.offers.store;

import dev.torg.api.v1.Preset.Name;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Stores the rows and counts of presets. Rows belong to an offer whose main row the caller has
/// locked; counts are shared by a seller's offers and are locked in the order of their key.
public final class PresetStore {
  private static final BatchColumns<Listed> ROWS =
      BatchColumns.of(Listed::home)
          .texts("seller", Listed::seller)
          .ints("preset", row -> row.preset().getNumber())
          .instants("created_at", Listed::createdAt)
          .longs("offer_id", row -> row.offer().number());

  private static final BatchSql<Listed> ADD =
      ROWS.sql(
          """
          INSERT INTO seller_preset (home, seller, preset, created_at, offer_id)
          SELECT k.home, k.seller, k.preset, k.created_at, k.offer_id FROM :rows(k)
          ON CONFLICT DO NOTHING
          """);

  private static final BatchSql<Listed> REMOVE =
      ROWS.sql(
          """
          DELETE FROM seller_preset p USING :batch(k)
           WHERE p.home = k.home AND p.seller = k.seller AND p.preset = k.preset
             AND p.created_at = k.created_at AND p.offer_id = k.offer_id AND :shard(p)
          """);

  private static final BatchSql<CountChange> COUNT =
      BatchColumns.of(CountChange::home)
          .texts("seller", CountChange::seller)
          .ints("preset", change -> change.preset().getNumber())
          .longs("change", CountChange::change)
          .sql(
              """
              INSERT INTO seller_preset_count AS c (home, seller, preset, count)
              SELECT k.home, k.seller, k.preset, k.change FROM :rows(k)
               ORDER BY k.home, k.seller, k.preset
              ON CONFLICT (home, seller, preset) DO UPDATE SET count = c.count + EXCLUDED.count
              """);

  private static final String COUNTS =
      "SELECT preset, count FROM seller_preset_count WHERE home = ? AND seller = ?";

  private static final String SELECT_PAGE =
      """
      SELECT created_at, offer_id FROM seller_preset
       WHERE home = ? AND seller = ? AND preset = ? AND (created_at, offer_id) < (?, ?)
       ORDER BY created_at DESC, offer_id DESC LIMIT ?
      """;

  private static final String PAGE_OF_EXTERNAL_ID =
      """
      SELECT o.created_at, o.id FROM offer o
        JOIN seller_preset p ON p.home = o.home AND p.seller = o.seller AND p.preset = ?
         AND p.created_at = o.created_at AND p.offer_id = o.id
       WHERE o.home = ? AND o.seller = ? AND o.external_id = ? AND (o.created_at, o.id) < (?, ?)
       ORDER BY o.created_at DESC, o.id DESC LIMIT ?
      """;

  /// A row of a preset.
  public record Listed(Home home, String seller, Name preset, Instant createdAt, OfferId offer) {}

  /// A change of a count.
  public record CountChange(Home home, String seller, Name preset, long change) {}

  /// A position in a list, newest first.
  public record PresetPosition(Instant createdAt, long offer) {}

  public void add(Tx tx, List<Listed> rows) throws SQLException {
    tx.sql(ADD, rows).update();
  }

  public void remove(Tx tx, List<Listed> rows) throws SQLException {
    tx.sql(REMOVE, rows).update();
  }

  public void count(Tx tx, List<CountChange> changes) throws SQLException {
    tx.sql(COUNT, changes).update();
  }

  /// Contains every preset.
  public Map<Name, Long> counts(Tx tx, String seller) throws SQLException {
    Map<Name, Long> counts = new EnumMap<>(Name.class);
    Presets.NAMES.forEach(name -> counts.put(name, 0L));
    tx.sql(COUNTS)
        .set(Home.of(seller))
        .set(seller)
        .each(row -> counts.put(Name.forNumber(row.intAt(1)), row.longAt(2)));
    return counts;
  }

  /// Rows after the position, newest first.
  public List<PresetPosition> page(
      Tx tx, String seller, Name preset, PresetPosition after, int size) throws SQLException {
    return tx.sql(SELECT_PAGE)
        .set(Home.of(seller))
        .set(seller)
        .set(preset.getNumber())
        .set(after.createdAt())
        .set(after.offer())
        .set(size)
        .list(row -> new PresetPosition(row.instantAt(1), row.longAt(2)));
  }

  /// As above, restricted to one external id.
  public List<PresetPosition> page(
      Tx tx, String seller, Name preset, String externalId, PresetPosition after, int size)
      throws SQLException {
    return tx.sql(PAGE_OF_EXTERNAL_ID)
        .set(preset.getNumber())
        .set(Home.of(seller))
        .set(seller)
        .set(externalId)
        .set(after.createdAt())
        .set(after.offer())
        .set(size)
        .list(row -> new PresetPosition(row.instantAt(1), row.longAt(2)));
  }
}
