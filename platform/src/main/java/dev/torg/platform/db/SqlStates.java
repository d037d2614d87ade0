package dev.torg.platform.db;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/// What the database's errors mean to us.
public final class SqlStates {
  private static final String SERIALIZATION_FAILURE = "40001";
  private static final String DEADLOCK = "40P01";
  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final String CONNECTION = "08";
  private static final String SERVER_STOPS = "57P";

  /// The server ended the session because it was idle inside a transaction for too long.
  private static final String IDLE_IN_TRANSACTION = "25P03";

  /// A standby, no access, no such database, out of room, a system error.
  private static final List<String> SERVER_STATES = List.of("25006", "28", "3D", "53", "58");

  private SqlStates() {}

  /// Worth another attempt, if nothing was committed. A pool that had no connection to give has
  /// waited already.
  public static boolean isTransient(SQLException e) {
    return isContention(e) || isLockTimeout(e) || (isConnectionLost(e) && !isPoolExhausted(e));
  }

  /// Two transactions were in each other's way.
  public static boolean isContention(SQLException e) {
    return SERIALIZATION_FAILURE.equals(e.getSQLState()) || DEADLOCK.equals(e.getSQLState());
  }

  /// A row was locked by somebody else for longer than `lock_timeout`.
  public static boolean isLockTimeout(SQLException e) {
    return LOCK_NOT_AVAILABLE.equals(e.getSQLState());
  }

  /// The database is away, or was when this happened.
  public static boolean isConnectionLost(SQLException e) {
    String state = e.getSQLState();
    return isPoolExhausted(e)
        || (state != null
            && (state.startsWith(CONNECTION)
                || state.startsWith(SERVER_STOPS)
                || state.equals(IDLE_IN_TRANSACTION)));
  }

  /// The statement or what was put into it is refused, and would be again: anything but the word of
  /// a server that is away, in contention, out of room, stopping, or not the one that takes writes.
  /// A statement that was cut off (57014) counts as too long for good.
  public static boolean isPermanent(SQLException e) {
    String state = e.getSQLState();
    return !isTransient(e)
        && !isConnectionLost(e)
        && (state == null || SERVER_STATES.stream().noneMatch(state::startsWith));
  }

  private static boolean isPoolExhausted(SQLException e) {
    return e instanceof SQLTransientConnectionException;
  }

  /// The server itself refused the COMMIT. Its FATAL word is no such answer: it may come from a
  /// server that was told to stop just after the change became durable.
  static boolean isDefinite(SQLException e) {
    if (!(e instanceof PSQLException refused)) {
      return false;
    }
    ServerErrorMessage said = refused.getServerErrorMessage();
    return said != null && "ERROR".equals(said.getSeverity());
  }
}
