package dev.torg.platform.coalesce;

import dev.torg.platform.Home;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/// Applies the items of a [WriteCoalescer]. An item holds everything that must not change between attempts:
/// ids, times, and the token by which its effect can be found again.
public interface WriteHandler<I, O> {
  /// The one home that the item writes to.
  Home home(I item);

  /// Items of equal order are applied in the order of their arrival. By default those are the items
  /// of one home, so that no two lanes wait for each other's rows.
  default int orderingKey(I item) {
    return home(item).number();
  }

  /// Identifies the rows that the item locks: when they stay locked by another process, further items of an
  /// equal key fail immediately for a while.
  Object lockKey(I item);

  /// Decides every item and writes the results, in one transaction that does nothing else. Returns
  /// one outcome per item in the items' order; a failed item must have no effect. It may run again,
  /// with the same or fewer items, when the transaction failed before COMMIT. Where the database is
  /// distributed, all items are of one shard.
  List<Outcome<O>> apply(Tx tx, List<I> items) throws SQLException;

  /// Searches for the effect of items whose COMMIT response was lost: one entry per item in their order, empty
  /// where no effect is found. Reads only.
  List<Optional<O>> recover(Tx tx, List<I> items) throws SQLException;
}
