package dev.torg.platform.db;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/// The settings that every session of the pool starts with, so that the locks of a process or host that
/// vanished are released within half a minute, whatever the configuration of the PostgreSQL server.
///
/// - A session that is idle inside its transaction is ended after 15 seconds. No transaction of Torg
///   waits for anything but the database between two statements, so only a suspended process is affected.
/// - The server detects a client that no longer responds: by keepalives where nothing is in flight, by the user
///   timeout where it has sent something that is not acknowledged.
/// - A row that another transaction holds is waited for 200 ms.
final class SessionSettings {
  static final Duration LOCK_TIMEOUT = Duration.ofMillis(200);
  static final Duration IDLE_IN_TRANSACTION_TIMEOUT = Duration.ofSeconds(15);

  private static final Duration KEEPALIVE_IDLE = Duration.ofSeconds(10);
  private static final Duration KEEPALIVE_INTERVAL = Duration.ofSeconds(5);
  private static final int KEEPALIVE_COUNT = 3;
  private static final Duration USER_TIMEOUT = Duration.ofSeconds(25);

  private static final Map<String, Object> LIVENESS =
      Map.of(
          "tcp_keepalives_idle", KEEPALIVE_IDLE.toSeconds(),
          "tcp_keepalives_interval", KEEPALIVE_INTERVAL.toSeconds(),
          "tcp_keepalives_count", KEEPALIVE_COUNT,
          "tcp_user_timeout", USER_TIMEOUT.toMillis());

  private SessionSettings() {}

  /// The statements for a session of the pool.
  static String pooled() {
    Map<String, Object> all = new TreeMap<>(LIVENESS);
    all.put("lock_timeout", LOCK_TIMEOUT.toMillis());
    all.put("idle_in_transaction_session_timeout", IDLE_IN_TRANSACTION_TIMEOUT.toMillis());
    return statements(all);
  }

  /// Sessions that migrate: they may take any time, also while one waits inside its transaction for
  /// another, but not longer than their process is reachable.
  static DataSource migrating(String url) {
    Map<String, Object> all = new TreeMap<>(LIVENESS);
    all.put("idle_in_transaction_session_timeout", 0);
    all.put("lock_timeout", 0);
    all.put("statement_timeout", 0);
    PGSimpleDataSource sessions = new SessionSource(statements(all));
    sessions.setUrl(url);
    return sessions;
  }

  private static String statements(Map<String, Object> settings) {
    return settings.entrySet().stream()
        .map(setting -> "SET " + setting.getKey() + " = " + setting.getValue())
        .collect(Collectors.joining("; "));
  }

  /// Runs statements at the beginning of every session. They are not given as options of the connection,
  /// which some poolers refuse.
  private static final class SessionSource extends PGSimpleDataSource {
    private final String first;

    SessionSource(String first) {
      this.first = first;
    }

    @Override
    public Connection getConnection() throws SQLException {
      Connection connection = super.getConnection();
      try (Statement statement = connection.createStatement()) {
        statement.execute(first);
      } catch (SQLException e) {
        connection.close();
        throw e;
      }
      return connection;
    }
  }
}
