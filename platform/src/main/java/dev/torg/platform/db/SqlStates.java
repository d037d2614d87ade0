package dev.torg.platform.db;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/// Classifies the database's errors.
public final class SqlStates {
  private static final String SERIALIZATION_FAILURE = "40001";
  private static final String DEADLOCK = "40P01";
  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final String CONNECTION = "08";
  private static final String SERVER_STOPS = "57P";

  /// The server ended the session because it was idle inside a transaction for too long.
  private static final String IDLE_IN_TRANSACTION = "25P03";

  /// A standby, no access, no such database, insufficient resources, a system error.
  private static final List<String> SERVER_STATES = List.of("25006", "28", "3D", "53", "58");

  private SqlStates() {}

  /// Worth a retry, if nothing was committed. An exhausted pool has already waited.
  public static boolean isTransient(SQLException e) {
    return isContention(e) || isLockTimeout(e) || (isConnectionLost(e) && !isPoolExhausted(e));
  }

  /// A deadlock or a serialization failure.
  public static boolean isContention(SQLException e) {
    return SERIALIZATION_FAILURE.equals(e.getSQLState()) || DEADLOCK.equals(e.getSQLState());
  }

  /// A row was locked by another transaction for longer than `lock_timeout`.
  public static boolean isLockTimeout(SQLException e) {
    return LOCK_NOT_AVAILABLE.equals(e.getSQLState());
  }

  /// The database was unavailable when this happened.
  public static boolean isConnectionLost(SQLException e) {
    String state = e.getSQLState();
    return isPoolExhausted(e)
        || (state != null
            && (state.startsWith(CONNECTION)
                || state.startsWith(SERVER_STOPS)
                || state.equals(IDLE_IN_TRANSACTION)));
  }

  /// The statement or its data is refused, and would be refused again: any state but those of a server that is
  /// unavailable, in contention, out of resources, shutting down, or read-only. A cancelled statement (57014)
  /// counts as permanently too slow.
  public static boolean isPermanent(SQLException e) {
    String state = e.getSQLState();
    return !isTransient(e)
        && !isConnectionLost(e)
        && (state == null || SERVER_STATES.stream().noneMatch(state::startsWith));
  }

  private static boolean isPoolExhausted(SQLException e) {
    return e instanceof SQLTransientConnectionException;
  }

  /// The server itself refused the COMMIT. A FATAL error is no such refusal: it may come from a server that was
  /// shut down just after the change became durable.
  static boolean isDefinite(SQLException e) {
    if (!(e instanceof PSQLException refused)) {
      return false;
    }
    ServerErrorMessage serverMessage = refused.getServerErrorMessage();
    return serverMessage != null && "ERROR".equals(serverMessage.getSeverity());
  }
}
