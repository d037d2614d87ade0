package dev.torg.platform.db;

import java.sql.SQLException;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/// What the database's error codes mean to us.
final class SqlStates {
  private static final String SERIALIZATION_FAILURE = "40001";
  private static final String DEADLOCK = "40P01";
  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final String CONNECTION = "08";
  private static final String SERVER_STOPS = "57P";

  private SqlStates() {}

  /// Worth another attempt, as nothing was committed.
  static boolean isPassing(SQLException e) {
    return switch (e.getSQLState()) {
      case null -> false;
      case SERIALIZATION_FAILURE, DEADLOCK, LOCK_NOT_AVAILABLE -> true;
      case String state -> state.startsWith(CONNECTION) || state.startsWith(SERVER_STOPS);
    };
  }

  /// The server itself refused the COMMIT. Its FATAL word is no such answer: it may come from a
  /// server that was told to stop just after the change became durable.
  static boolean isAnswered(SQLException e) {
    if (!(e instanceof PSQLException refused)) {
      return false;
    }
    ServerErrorMessage said = refused.getServerErrorMessage();
    return said != null && "ERROR".equals(said.getSeverity());
  }
}
