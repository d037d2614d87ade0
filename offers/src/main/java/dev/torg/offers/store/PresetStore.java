package dev.torg.offers.store;

import dev.torg.api.v1.Preset.Name;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.HomedSql;
import dev.torg.platform.db.Sql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Stores the rows and counts of presets. Rows belong to an offer whose main row the caller has
/// locked; counts are shared by a seller's offers and are locked in the order of their key.
public final class PresetStore {
  private static final String ADD =
      """
      INSERT INTO seller_preset (home, seller, preset, created_at, offer_id)
      SELECT k.home, k.seller, k.preset, k.created_at, k.offer_id
        FROM unnest(?::int[], ?::text[], ?::int[], ?::timestamptz[], ?::bigint[])
          AS k (home, seller, preset, created_at, offer_id)
      ON CONFLICT DO NOTHING
      """;

  private static final HomedSql REMOVE =
      HomedSql.of(
          """
          DELETE FROM seller_preset p
           USING unnest(?::int[], ?::text[], ?::int[], ?::timestamptz[], ?::bigint[])
              AS k (home, seller, preset, created_at, offer_id)
           WHERE p.home = k.home AND p.seller = k.seller AND p.preset = k.preset
             AND p.created_at = k.created_at AND p.offer_id = k.offer_id AND :home(p)
          """);

  private static final String COUNT =
      """
      INSERT INTO seller_preset_count AS c (home, seller, preset, count)
      SELECT k.home, k.seller, k.preset, k.change
        FROM unnest(?::int[], ?::text[], ?::int[], ?::bigint[]) AS k (home, seller, preset, change)
       ORDER BY k.home, k.seller, k.preset
      ON CONFLICT (home, seller, preset) DO UPDATE SET count = c.count + EXCLUDED.count
      """;

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
  public record Place(Instant createdAt, long offer) {}

  public void add(Tx tx, List<Listed> rows) throws SQLException {
    if (!rows.isEmpty()) {
      columns(tx.sql(ADD), rows).update();
    }
  }

  public void remove(Tx tx, List<Listed> rows) throws SQLException {
    if (!rows.isEmpty()) {
      columns(tx.sql(REMOVE, rows, Listed::home), rows).update();
    }
  }

  private static Sql columns(Sql sql, List<Listed> rows) throws SQLException {
    return sql.homes(rows, Listed::home)
        .texts(rows, Listed::seller)
        .ints(rows, row -> row.preset().getNumber())
        .instants(rows, Listed::createdAt)
        .longs(rows, row -> row.offer().number());
  }

  public void count(Tx tx, List<CountChange> changes) throws SQLException {
    if (changes.isEmpty()) {
      return;
    }
    tx.sql(COUNT)
        .homes(changes, CountChange::home)
        .texts(changes, CountChange::seller)
        .ints(changes, change -> change.preset().getNumber())
        .longs(changes, CountChange::change)
        .update();
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
  public List<Place> page(Tx tx, String seller, Name preset, Place after, int size)
      throws SQLException {
    return tx.sql(SELECT_PAGE)
        .set(Home.of(seller))
        .set(seller)
        .set(preset.getNumber())
        .set(after.createdAt())
        .set(after.offer())
        .set(size)
        .list(row -> new Place(row.instantAt(1), row.longAt(2)));
  }

  /// As above, restricted to one external id.
  public List<Place> page(
      Tx tx, String seller, Name preset, String externalId, Place after, int size)
      throws SQLException {
    return tx.sql(PAGE_OF_EXTERNAL_ID)
        .set(preset.getNumber())
        .set(Home.of(seller))
        .set(seller)
        .set(externalId)
        .set(after.createdAt())
        .set(after.offer())
        .set(size)
        .list(row -> new Place(row.instantAt(1), row.longAt(2)));
  }
}
