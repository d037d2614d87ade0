package dev.torg.platform.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A transaction in progress. Stores take it as their first argument and never commit; what must
/// happen only once the change is durable is left with [#afterCommit].
public final class Tx {
  private static final Logger LOG = LoggerFactory.getLogger(Tx.class);

  private final Connection connection;
  private final List<Runnable> afterCommit = new ArrayList<>();

  Tx(Connection connection) {
    this.connection = connection;
  }

  public Connection connection() {
    return connection;
  }

  /// A statement to fill and run once. The text is a constant: the driver keeps it prepared.
  public Sql sql(String text) throws SQLException {
    return new Sql(connection.prepareStatement(text));
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
