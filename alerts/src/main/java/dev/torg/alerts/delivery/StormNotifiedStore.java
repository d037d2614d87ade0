package dev.torg.alerts.delivery;

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

/// SQL over the offers of storms that recipients were notified of, in the recipient's home: a bit per
/// position, a row per block of positions. Every transaction that decides by it has locked the
/// recipient's budget before ([AlertBudgetStore#lock]), so of two transactions about one recipient the
/// second sees the changes of the first.
public final class StormNotifiedStore {
  /// Positions in a block: a kilobyte.
  public static final int BLOCK = 8_192;

  /// For a key: the highest block that the recipient has of the seller.
  static final int HIGHEST = -1;

  private static final HomedSql FIND =
      HomedSql.of(
          """
          SELECT k.owner, k.seller, m.block, m.positions
            FROM unnest(?::int[], ?::text[], ?::text[], ?::int[]) AS k (home, owner, seller, block)
           CROSS JOIN LATERAL (
             SELECT n.block, n.positions FROM storm_notified n
              WHERE n.home = k.home AND n.owner = k.owner AND n.seller = k.seller
                AND (k.block < 0 OR n.block = k.block) AND :home(n)
              ORDER BY n.block DESC LIMIT 1) AS m
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

  private static final String SELECT_PAGE =
      """
      SELECT owner, seller, block, positions FROM storm_notified
       WHERE home = ? AND owner = ? LIMIT ?
      """;

  private static final String OF_SELLERS =
      """
      SELECT owner, seller, block, positions FROM storm_notified
       WHERE home = ? AND owner = ? AND seller = ANY (?::text[])
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

  /// A recipient, a seller, and a block of the seller's positions.
  public record Key(String owner, String seller, int block) {
    Home home() {
      return Home.of(owner);
    }

    /// The position of the first bit of the block.
    int first() {
      return block * BLOCK;
    }

    public Key to(String login) {
      return new Key(login, seller, block);
    }
  }

  /// Positions of a recipient and seller, relative to the first of the block.
  public record Block(Key key, BitSet bits) {
    /// The highest position in it.
    int highest() {
      return key.first() + bits.length() - 1;
    }
  }

  /// The blocks that exist. A block requested as the highest is returned with its own number.
  public List<Block> find(Tx tx, Collection<Key> keys) throws SQLException {
    List<Key> all = keys.stream().distinct().toList();
    if (all.isEmpty()) {
      return List.of();
    }
    return tx.sql(FIND, all, Key::home)
        .homes(all, Key::home)
        .texts(all, Key::owner)
        .texts(all, Key::seller)
        .ints(all, Key::block)
        .list(StormNotifiedStore::block);
  }

  /// Replaces blocks, including their former bits.
  public void put(Tx tx, Map<Key, BitSet> blocks, LocalDate day) throws SQLException {
    List<Block> rows = new ArrayList<>();
    blocks.forEach((key, bits) -> rows.add(new Block(key, bits)));
    rows.sort(
        Comparator.comparing((Block row) -> row.key.owner)
            .thenComparing(row -> row.key.seller)
            .thenComparingInt(row -> row.key.block));
    if (!rows.isEmpty()) {
      tx.sql(PUT)
          .set(day.toString())
          .homes(rows, row -> row.key.home())
          .texts(rows, row -> row.key.owner)
          .texts(rows, row -> row.key.seller)
          .ints(rows, row -> row.key.block)
          .bytes(rows, row -> row.bits.toByteArray())
          .update();
    }
  }

  /// Adds bits to blocks. Under the lock of the budget.
  public void add(Tx tx, List<Block> blocks, LocalDate day) throws SQLException {
    Map<Key, BitSet> all = new HashMap<>();
    find(tx, blocks.stream().map(Block::key).toList())
        .forEach(block -> all.put(block.key, block.bits));
    blocks.forEach(block -> all.computeIfAbsent(block.key, _ -> new BitSet()).or(block.bits));
    put(tx, all, day);
  }

  /// Blocks of a recipient, in no order.
  public List<Block> page(Tx tx, String owner, int atMost) throws SQLException {
    return tx.sql(SELECT_PAGE)
        .set(Home.of(owner))
        .set(owner)
        .set(atMost)
        .list(StormNotifiedStore::block);
  }

  /// All blocks of a recipient for these sellers, in no order.
  public List<Block> ofSellers(Tx tx, String owner, Collection<String> sellers)
      throws SQLException {
    return sellers.isEmpty()
        ? List.of()
        : tx.sql(OF_SELLERS)
            .set(Home.of(owner))
            .set(owner)
            .texts(List.copyOf(sellers), seller -> seller)
            .list(StormNotifiedStore::block);
  }

  public void remove(Tx tx, String owner, List<Block> page) throws SQLException {
    tx.sql(REMOVE)
        .texts(page, row -> row.key.seller)
        .ints(page, row -> row.key.block)
        .set(Home.of(owner))
        .set(owner)
        .update();
  }

  int sweep(Tx tx, Home home, LocalDate before, int atMost) throws SQLException {
    return tx.sql(SWEEP).set(home).set(home).set(before.toString()).set(atMost).update();
  }

  private static Block block(Row row) throws SQLException {
    return new Block(
        new Key(row.textAt(1), row.textAt(2), row.intAt(3)), BitSet.valueOf(row.bytesAt(4)));
  }
}
