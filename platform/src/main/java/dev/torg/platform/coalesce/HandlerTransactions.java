package dev.torg.platform.coalesce;

import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Runs a [WriteHandler] in transactions of a database.
final class HandlerTransactions<I, O> implements BatchTransactions<I, O> {
  private static final Duration SHORT_LOCK_TIMEOUT = Duration.ofMillis(20);

  private final Database database;
  private final WriteHandler<I, O> handler;

  HandlerTransactions(Database database, WriteHandler<I, O> handler) {
    this.database = database;
    this.handler = handler;
  }

  @Override
  public List<Outcome<O>> commit(List<I> items, LockWait wait) throws SQLException {
    return database.inTransactionWithoutRetry(tx -> apply(tx, items, wait));
  }

  private List<Outcome<O>> apply(Tx tx, List<I> items, LockWait wait) throws SQLException {
    if (wait == LockWait.SHORT) {
      tx.setLockTimeout(SHORT_LOCK_TIMEOUT);
    }
    List<Outcome<O>> outcomes = handler.apply(tx, items);
    if (outcomes.size() != items.size()) {
      throw new IllegalStateException(
          items.size() + " items, but " + outcomes.size() + " outcomes");
    }
    return outcomes;
  }

  @Override
  public List<Optional<O>> recover(List<I> items) throws SQLException {
    return database.readWithoutRetry(tx -> handler.recover(tx, items));
  }
}
