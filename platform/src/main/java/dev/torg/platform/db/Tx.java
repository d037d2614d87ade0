package dev.torg.platform.db;

import dev.torg.platform.Home;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A transaction in progress. Stores take it as their first argument and never commit; what must
/// happen only once the change is durable is left with [#afterCommit].
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
    return new Sql(connection.prepareStatement(text), Optional.empty());
  }

  /// A statement about these items, restricted to their home if they have only one and tables are distributed.
  /// The home is the last parameter.
  public <T> Sql sql(HomedSql sql, List<T> items, Function<? super T, Home> home)
      throws SQLException {
    Optional<Home> common = distributed ? HomedSql.commonHome(items, home) : Optional.empty();
    return new Sql(connection.prepareStatement(sql.text(common)), common);
  }

  /// Until the end of the transaction each statement is planned for the current contents of the tables, and no
  /// plan is cached: for tables that are empty one moment and hold millions of rows the next.
  public void forceCustomPlans() throws SQLException {
    sql("SELECT set_config('plan_cache_mode', 'force_custom_plan', true)").first(_ -> true);
  }

  public PreparedStatement prepare(String sql) throws SQLException {
    return connection.prepareStatement(sql);
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
