package dev.torg.platform.coalesce;

import dev.torg.platform.db.Database;

/// The settings of a coalescer: its name in metrics and thread names, whether a batch must stay in one home,
/// how many batches run concurrently, how many items a batch takes, and how many may wait.
public record CoalescerSettings(
    String name, boolean oneHomePerBatch, int parallel, int maxBatch, int capacity) {
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

  /// As this database needs it. Each parallel batch uses one of its connections.
  public static CoalescerSettings of(String name, Database database, int parallel) {
    return new CoalescerSettings(name, database.isDistributed(), parallel, MAX_BATCH, CAPACITY);
  }

  public CoalescerSettings withMaxBatch(int items) {
    return new CoalescerSettings(name, oneHomePerBatch, parallel, items, capacity);
  }

  public CoalescerSettings withCapacity(int items) {
    return new CoalescerSettings(name, oneHomePerBatch, parallel, maxBatch, items);
  }
}
