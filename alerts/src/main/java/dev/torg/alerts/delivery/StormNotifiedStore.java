package dev.torg.alerts.delivery;

import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
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

  private static final BatchColumns<Key> KEYS =
      BatchColumns.of(Key::home)
          .texts("owner", Key::owner)
          .texts("seller", Key::seller)
          .ints("block", Key::block);

  private static final BatchSql<Key> FIND =
      KEYS.sql(
          """
          SELECT k.owner, k.seller, m.block, m.positions
            FROM :batch(k)
           CROSS JOIN LATERAL (
             SELECT n.block, n.positions FROM storm_notified n
              WHERE n.home = k.home AND n.owner = k.owner AND n.seller = k.seller
                AND (k.block < 0 OR n.block = k.block) AND :shard(n)
              ORDER BY n.block DESC LIMIT 1) AS m
          """);

  private static final BatchSql<Block> PUT =
      BatchColumns.<Block>of(row -> row.key.home())
          .texts("owner", row -> row.key.owner)
          .texts("seller", row -> row.key.seller)
          .ints("block", row -> row.key.block)
          .bytes("positions", row -> row.bits.toByteArray())
          .sql(
              """
              INSERT INTO storm_notified (home, owner, seller, block, positions, day)
              SELECT k.home, k.owner, k.seller, k.block, k.positions, ?::date
                FROM :rows(k)
               ORDER BY k.home, k.owner, k.seller, k.block
              ON CONFLICT (home, owner, seller, block) DO UPDATE
                 SET positions = excluded.positions, day = excluded.day
              """);

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

  private static final BatchSql<Key> REMOVE =
      KEYS.sql(
          """
          DELETE FROM storm_notified n USING :batch(k)
           WHERE n.home = k.home AND n.owner = k.owner AND n.seller = k.seller
             AND n.block = k.block AND :shard(n)
          """);

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
    return tx.sql(FIND, keys.stream().distinct().toList()).list(StormNotifiedStore::block);
  }

  /// Replaces blocks, including their former bits.
  public void put(Tx tx, Map<Key, BitSet> blocks, LocalDate day) throws SQLException {
    List<Block> rows = new ArrayList<>();
    blocks.forEach((key, bits) -> rows.add(new Block(key, bits)));
    rows.sort(
        Comparator.comparing((Block row) -> row.key.owner)
            .thenComparing(row -> row.key.seller)
            .thenComparingInt(row -> row.key.block));
    tx.sql(PUT, rows).set(day.toString()).update();
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
  public List<Block> page(Tx tx, String owner, int limit) throws SQLException {
    return tx.sql(SELECT_PAGE)
        .set(Home.of(owner))
        .set(owner)
        .set(limit)
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

  public void remove(Tx tx, List<Block> page) throws SQLException {
    tx.sql(REMOVE, page.stream().map(Block::key).toList()).update();
  }

  int sweep(Tx tx, Home home, LocalDate before, int limit) throws SQLException {
    return tx.sql(SWEEP).set(home).set(home).set(before.toString()).set(limit).update();
  }

  private static Block block(Row row) throws SQLException {
    return new Block(
        new Key(row.textAt(1), row.textAt(2), row.intAt(3)), BitSet.valueOf(row.bytesAt(4)));
  }
}
