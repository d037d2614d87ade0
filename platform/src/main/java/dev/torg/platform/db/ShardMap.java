package dev.torg.platform.db;

import dev.torg.platform.Home;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/// The shard of each home. A transaction writes one shard: on plain PostgreSQL all homes are one, on distributed tables
/// the homes that hash into the same range.
///
/// Moving a shard to another node does not change the map; splitting one does.
public final class ShardMap {
  /// All tables with a `home` are co-located: one of them shows the shards of all.
  private static final String READ =
      """
      SELECT h.number, get_shard_id_for_distribution_column('homes', h.number)
        FROM generate_series(0, %d) AS h (number) ORDER BY h.number
      """
          .formatted(Home.COUNT - 1);

  private final int[] shards;
  private final int count;

  private ShardMap(int[] shards) {
    this.shards = shards;
    this.count = Arrays.stream(shards).max().orElse(0) + 1;
  }

  /// Plain PostgreSQL: one shard.
  public static ShardMap single() {
    return new ShardMap(new int[Home.COUNT]);
  }

  /// Homes with equal ids are of one shard. Shards are numbered in the order of their first home.
  public static ShardMap of(long[] shardIds) {
    Map<Long, Integer> numbers = new HashMap<>();
    int[] shards = new int[Home.COUNT];
    for (int home = 0; home < Home.COUNT; home++) {
      shards[home] = numbers.computeIfAbsent(shardIds[home], _ -> numbers.size());
    }
    return new ShardMap(shards);
  }

  static ShardMap read(Connection connection) throws SQLException {
    long[] ids = new long[Home.COUNT];
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(READ)) {
      while (rows.next()) {
        ids[rows.getInt(1)] = rows.getLong(2);
      }
    }
    return of(ids);
  }

  public int count() {
    return count;
  }

  public int shardOf(Home home) {
    return shards[home.number()];
  }

  public List<Home> homes(int shard) {
    return IntStream.range(0, Home.COUNT)
        .filter(home -> shards[home] == shard)
        .mapToObj(Home::new)
        .toList();
  }

  /// The items of each shard, in their order. Shards without items are omitted.
  public <T> List<List<T>> split(Collection<T> items, Function<? super T, Home> home) {
    if (count == 1) {
      return items.isEmpty() ? List.of() : List.of(List.copyOf(items));
    }
    Map<Integer, List<T>> byShard = new TreeMap<>();
    for (T item : items) {
      byShard.computeIfAbsent(shardOf(home.apply(item)), _ -> new ArrayList<>()).add(item);
    }
    return List.copyOf(byShard.values());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ShardMap map && Arrays.equals(shards, map.shards);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(shards);
  }
}
