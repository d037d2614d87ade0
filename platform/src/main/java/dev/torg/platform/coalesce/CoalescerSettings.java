package dev.torg.platform.coalesce;

import dev.torg.platform.db.Database;

/// How a coalescer works: its name in metrics and thread names, whether a batch keeps to one home,
/// how many batches run at once, how many items one batch takes, and how many may wait.
public record CoalescerSettings(
    String name, boolean oneHomePerBatch, int parallel, int maxBatch, int capacity) {
  /// Large enough to make the share of a round trip small, small enough to answer within
  /// milliseconds.
  private static final int MAX_BATCH = 256;

  /// A second or so of work: who comes later is better told to come back than kept waiting.
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
