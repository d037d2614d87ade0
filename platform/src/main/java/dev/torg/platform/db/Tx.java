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

  /// A statement about these items, which keeps to their home if they have but one and tables are
  /// distributed. The home comes last, by itself.
  public <T> Sql sql(HomedSql sql, List<T> items, Function<? super T, Home> home)
      throws SQLException {
    Optional<Home> common = distributed ? HomedSql.commonHome(items, home) : Optional.empty();
    return new Sql(connection.prepareStatement(sql.text(common)), common);
  }

  /// Until its end each statement is planned for what the tables hold now, and no plan is kept: for those that are
  /// empty one moment and millions of rows long the next.
  public void forceCustomPlans() throws SQLException {
    sql("SELECT set_config('plan_cache_mode', 'force_custom_plan', true)").first(_ -> true);
  }

  public PreparedStatement prepare(String sql) throws SQLException {
    return connection.prepareStatement(sql);
  }

  /// Runs after a successful COMMIT, on the committing thread: wake-up hints, caches, metrics. Must
  /// be quick and must not fail; if it does, the change stays and the log says so.
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
