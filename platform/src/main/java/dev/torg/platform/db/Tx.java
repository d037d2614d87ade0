package dev.torg.platform.db;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A transaction in progress. Stores take it as their first argument and never commit; actions that
/// require the change to be durable are registered with [#afterCommit].
public final class Tx {
  private static final Logger LOG = LoggerFactory.getLogger(Tx.class);

  private final Connection connection;
  private final boolean distributed;
  private final List<Runnable> afterCommit = new ArrayList<>();

  Tx(Connection connection, boolean distributed) {
    this.connection = connection;
    this.distributed = distributed;
  }

  public Connection connection() {
    return connection;
  }

  /// A statement to fill and run once. The text is a constant: the driver keeps it prepared.
  public Sql sql(String text) throws SQLException {
    return new Sql(connection.prepareStatement(text));
  }

  /// A statement about these items, in the form for this database. Where tables are distributed, the items of a
  /// statement that locks or writes are of one shard.
  public <T> Sql sql(BatchSql<T> sql, List<T> items) throws SQLException {
    return sql.prepare(connection, distributed, items);
  }

  /// Until the end of the transaction each statement is planned for the current contents of the tables, and no
  /// plan is cached: for tables that are empty one moment and hold millions of rows the next.
  public void forceCustomPlans() throws SQLException {
    sql("SELECT set_config('plan_cache_mode', 'force_custom_plan', true)").first(_ -> true);
  }

  /// Until the end of the transaction a locked row is waited for so long, on every node.
  public void setLockTimeout(Duration timeout) throws SQLException {
    String set = "SET LOCAL lock_timeout = " + timeout.toMillis();
    try (Statement statement = connection.createStatement()) {
      statement.execute(distributed ? NodeSettings.PROPAGATE + "; " + set : set);
    }
  }

  /// Runs after a successful COMMIT, on the committing thread: wake-up hints, caches, metrics. Must be quick
  /// and must not fail; a failure is logged and the change stays.
  public void afterCommit(Runnable action) {
    afterCommit.add(action);
  }

  void committed() {
    for (Runnable action : afterCommit) {
      try {
        action.run();
      } catch (RuntimeException e) {
        LOG.error("an action after COMMIT failed", e);
      }
    }
  }
}
