package dev.torg.platform.coalesce;

import dev.torg.platform.db.Database;
import dev.torg.platform.db.ShardMap;

/// The settings of a coalescer: its name in metrics and thread names, the shards that a batch must not mix,
/// how many batches run concurrently, how many items a batch takes, and how many may wait.
public record CoalescerSettings(
    String name, ShardMap shards, int parallel, int maxBatch, int capacity) {
  /// Large enough to make the cost of a round trip per item small, small enough to complete within
  /// milliseconds.
  private static final int MAX_BATCH = 256;

  /// About a second of work: rejecting later items is better than letting them wait longer.
  private static final int CAPACITY = 20_000;

  public CoalescerSettings {
    if (parallel < 1 || maxBatch < 1 || capacity < 1) {
      throw new IllegalArgumentException("parallel, maxBatch and capacity must be positive");
    }
  }

  /// The share of the pool that one coalescer may use where tables are distributed: a process has six coalescers,
  /// so that together they leave no other waiting for a connection.
  private static final int POOL_SHARE = 6;

  /// Settings for this database. Each concurrent batch uses one of its connections.
  ///
  /// @param parallel on plain PostgreSQL the number of concurrent batches. Where tables are distributed there are at
  ///     least as many as a sixth of the pool: a locked row delays the lane of its shard, and must not use up what
  ///     the lanes of the other shards need.
  public static CoalescerSettings of(String name, Database database, int parallel) {
    ShardMap shards = database.shards();
    int batches =
        shards.count() == 1 ? parallel : Math.max(parallel, database.connections() / POOL_SHARE);
    return new CoalescerSettings(name, shards, batches, MAX_BATCH, CAPACITY);
  }

  public CoalescerSettings withMaxBatch(int items) {
    return new CoalescerSettings(name, shards, parallel, items, capacity);
  }

  public CoalescerSettings withCapacity(int items) {
    return new CoalescerSettings(name, shards, parallel, maxBatch, items);
  }
}
