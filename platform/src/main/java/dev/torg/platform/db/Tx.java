package dev.torg.platform.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// A transaction in progress. Stores take it as their first argument and never commit; what must
// happen only once the
/// change is durable is left with [#afterCommit].
public final class Tx {
  private final Connection connection;
  private final List<Runnable> afterCommit = new ArrayList<>();

  Tx(Connection connection) {
    this.connection = connection;
  }

  public Connection connection() {
    return connection;
  }

  public PreparedStatement prepare(String sql) throws SQLException {
    return connection.prepareStatement(sql);
  }

  /// Runs after a successful COMMIT, on the committing thread: wake-up hints, caches, metrics. Must
  // not fail.
  public void afterCommit(Runnable action) {
    afterCommit.add(action);
  }

  void committed() {
    afterCommit.forEach(Runnable::run);
  }
}
