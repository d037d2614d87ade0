package dev.torg.platform.coalesce;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/// The database operations of a batch of writes: one call is one attempt. [WriteBatchRunner]
/// decides which attempt follows which failure.
interface BatchTransactions<I, O> {
  /// How long a transaction waits for locked rows.
  enum LockWait {
    /// The session's `lock_timeout`.
    FULL,
    /// For rows that are probably still locked: the rest of the lane waits behind them.
    SHORT
  }

  /// Applies the items in one transaction and commits it. Returns one outcome per item.
  ///
  /// @throws SQLException nothing was committed
  /// @throws dev.torg.platform.db.CommitUnknown the response to COMMIT was lost
  List<Outcome<O>> commit(List<I> items, LockWait wait) throws SQLException;

  /// Reads the effect of items whose COMMIT response was lost: one entry per item, empty where
  /// there is none.
  List<Optional<O>> recover(List<I> items) throws SQLException;
}
