package dev.torg.bench.alerts;

import dev.torg.bench.process.SuperuserAddress;
import dev.torg.server.run.RunningInstance;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/// Makes an embedded PostgreSQL record the commit time of every transaction. This is a setting of
/// the whole server, which requires the superuser; Torg's own role may not change it.
final class CommitTimestamps {
  private CommitTimestamps() {}

  /// Takes effect at the next start.
  static void enable(RunningInstance running, Path data) throws SQLException {
    try (Connection connection = DriverManager.getConnection(SuperuserAddress.of(running, data));
        Statement statement = connection.createStatement()) {
      statement.execute("ALTER SYSTEM SET track_commit_timestamp = on");
    }
  }
}
