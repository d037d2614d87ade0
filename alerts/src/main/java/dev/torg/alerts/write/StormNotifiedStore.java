package dev.torg.alerts.write;

import dev.torg.platform.Home;
import dev.torg.platform.db.HomedSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Keeps which offers of sellers' storms readers were notified of, in the reader's home: a bit per
/// position. Whoever reads or changes it to decide has locked the reader's budget before
/// ([BudgetStore#lock]), so of two transactions about one reader the second sees what the first did.
public final class StormNotifiedStore {
  /// Positions in a row of the table: a kilobyte.
  static final int BLOCK = 8_192;

  private static final HomedSql FIND =
      HomedSql.of(
          """
          SELECT n.owner, n.seller, n.block, n.positions
            FROM unnest(?::int[], ?::text[], ?::text[]) AS k (home, owner, seller)
            JOIN storm_notified n ON n.home = k.home AND n.owner = k.owner AND n.seller = k.seller
           WHERE :home(n)
          """);

  private static final String PUT =
      """
      INSERT INTO storm_notified (home, owner, seller, block, positions, day)
      SELECT k.home, k.owner, k.seller, k.block, k.positions, ?::date
        FROM unnest(?::int[], ?::text[], ?::text[], ?::int[], ?::bytea[])
          AS k (home, owner, seller, block, positions)
       ORDER BY k.home, k.owner, k.seller, k.block
      ON CONFLICT (home, owner, seller, block) DO UPDATE
         SET positions = excluded.positions, day = excluded.day
      """;

  private static final String PAGE =
      """
      SELECT owner, seller, block, positions FROM storm_notified
       WHERE home = ? AND owner = ? LIMIT ?
      """;

  private static final String REMOVE =
      """
      DELETE FROM storm_notified n USING unnest(?::text[], ?::int[]) AS k (seller, block)
       WHERE n.home = ? AND n.owner = ? AND n.seller = k.seller AND n.block = k.block
      """;

  private static final String SWEEP =
      """
      DELETE FROM storm_notified WHERE home = ? AND (owner, seller, block) IN (
        SELECT owner, seller, block FROM storm_notified WHERE home = ? AND day < ?::date LIMIT ?)
      """;

  /// A reader and a seller.
  public record Key(String owner, String seller) {
    Home home() {
      return Home.of(owner);
    }
  }

  /// Bits of one row of the table.
  public record Block(Key key, int number, BitSet bits) {}

  /// Those that have any, with the positions.
  public Map<Key, BitSet> find(Tx tx, Collection<Key> keys) throws SQLException {
    List<Key> all = keys.stream().distinct().toList();
    Map<Key, BitSet> found = new HashMap<>();
    if (!all.isEmpty()) {
      tx.sql(FIND, all, Key::home)
          .homes(all, Key::home)
          .texts(all, Key::owner)
          .texts(all, Key::seller)
          .each(
              row -> {
                Block block = block(row);
                BitSet positions = found.computeIfAbsent(block.key, _ -> new BitSet());
                int first = block.number * BLOCK;
                block.bits.stream().forEach(bit -> positions.set(first + bit));
              });
    }
    return found;
  }

  /// Notes that readers were notified of more offers.
  ///
  /// @param all the positions of each reader and seller, those from before included
  /// @param added those of them that are new
  public void put(Tx tx, Map<Key, BitSet> all, Map<Key, BitSet> added, LocalDate day)
      throws SQLException {
    List<Block> rows = new ArrayList<>();
    added.forEach(
        (key, bits) ->
            bits.stream()
                .map(position -> position / BLOCK)
                .distinct()
                .forEach(number -> rows.add(block(key, number, all.getOrDefault(key, bits)))));
    rows.sort(
        Comparator.comparing((Block row) -> row.key.owner)
            .thenComparing(row -> row.key.seller)
            .thenComparingInt(Block::number));
    if (!rows.isEmpty()) {
      tx.sql(PUT)
          .set(day.toString())
          .homes(rows, row -> row.key.home())
          .texts(rows, row -> row.key.owner)
          .texts(rows, row -> row.key.seller)
          .ints(rows, Block::number)
          .bytes(rows, row -> row.bits.toByteArray())
          .update();
    }
  }

  /// Adds positions to those of a reader and seller; the ones that are new. Within a locked budget.
  public BitSet add(Tx tx, Key key, BitSet positions, LocalDate day) throws SQLException {
    BitSet all = find(tx, List.of(key)).getOrDefault(key, new BitSet());
    BitSet added = (BitSet) positions.clone();
    added.andNot(all);
    all.or(added);
    put(tx, Map.of(key, all), Map.of(key, added), day);
    return added;
  }

  /// Rows of a reader, in no order.
  public List<Block> page(Tx tx, String owner, int atMost) throws SQLException {
    return tx.sql(PAGE).set(Home.of(owner)).set(owner).set(atMost).list(StormNotifiedStore::block);
  }

  public void remove(Tx tx, String owner, List<Block> page) throws SQLException {
    tx.sql(REMOVE)
        .texts(page, row -> row.key.seller)
        .ints(page, Block::number)
        .set(Home.of(owner))
        .set(owner)
        .update();
  }

  /// The positions that a row stands for.
  public static BitSet positions(Block block) {
    BitSet positions = new BitSet();
    block.bits.stream().forEach(bit -> positions.set(block.number * BLOCK + bit));
    return positions;
  }

  int sweep(Tx tx, Home home, LocalDate before, int atMost) throws SQLException {
    return tx.sql(SWEEP).set(home).set(home).set(before.toString()).set(atMost).update();
  }

  private static Block block(Key key, int number, BitSet positions) {
    return new Block(key, number, positions.get(number * BLOCK, (number + 1) * BLOCK));
  }

  private static Block block(Row row) throws SQLException {
    return new Block(
        new Key(row.textAt(1), row.textAt(2)), row.intAt(3), BitSet.valueOf(row.bytesAt(4)));
  }
}
