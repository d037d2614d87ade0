package dev.torg.platform.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;
import org.postgresql.util.ServerErrorMessage;

class SqlStatesTest {
  private enum Class {
    CONTENTION,
    LOCK_TIMEOUT,
    CONNECTION_LOST,
    TRANSIENT,
    ABOUT_DATA
  }

  private static Set<Class> classes(SQLException e) {
    Set<Class> classes = EnumSet.noneOf(Class.class);
    add(classes, Class.CONTENTION, SqlStates.isContention(e));
    add(classes, Class.LOCK_TIMEOUT, SqlStates.isLockTimeout(e));
    add(classes, Class.CONNECTION_LOST, SqlStates.isConnectionLost(e));
    add(classes, Class.TRANSIENT, SqlStates.isTransient(e));
    add(classes, Class.ABOUT_DATA, SqlStates.isPermanent(e));
    return classes;
  }

  private static void add(Set<Class> classes, Class added, boolean applies) {
    if (applies) {
      classes.add(added);
    }
  }

  private static SQLException state(String state) {
    return new SQLException("on purpose", state);
  }

  @ParameterizedTest
  @ValueSource(strings = {"40001", "40P01"})
  void contention_isRetried(String state) {
    assertThat(classes(state(state))).containsExactly(Class.CONTENTION, Class.TRANSIENT);
  }

  @Test
  void lockTimeout_isRetried() {
    assertThat(classes(state("55P03"))).containsExactly(Class.LOCK_TIMEOUT, Class.TRANSIENT);
  }

  /// Connection exceptions, a server that stops, crashes or starts, and a session ended for idleness.
  @ParameterizedTest
  @ValueSource(
      strings = {"08000", "08001", "08003", "08006", "08P01", "57P01", "57P02", "57P03", "25P03"})
  void lostConnection_isRetried(String state) {
    assertThat(classes(state(state))).containsExactly(Class.CONNECTION_LOST, Class.TRANSIENT);
  }

  /// Neither retried nor the statement's fault: an operator has to act.
  @ParameterizedTest
  @CsvSource({
    "25006, read-only standby",
    "28000, invalid authorization",
    "28P01, wrong password",
    "3D000, no such database",
    "53100, disk full",
    "53200, out of memory",
    "53300, too many connections",
    "58000, system error",
    "58030, input or output error",
  })
  void serverCondition_isNeitherRetriedNorPermanent(String state, String meaning) {
    assertThat(classes(state(state))).as(meaning).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "22021, invalid byte sequence",
    "22001, text too long",
    "22P02, invalid text representation",
    "23502, null in a column that has none",
    "23505, duplicate key",
    "23514, check violated",
    "25P02, transaction is aborted",
    "42601, syntax error",
    "42P01, no such table",
    "42501, permission denied",
    "54000, statement too complex",
    "55000, object not in the right state",
    "57014, statement timeout",
    "XX000, internal error",
    "4000, no SQL state of this length",
  })
  void refusedStatement_isPermanent(String state, String meaning) {
    assertThat(classes(state(state))).as(meaning).containsExactly(Class.ABOUT_DATA);
  }

  @Test
  void noState_isPermanent() {
    assertThat(classes(new SQLException("on purpose"))).containsExactly(Class.ABOUT_DATA);
  }

  /// The pool has waited for a connection already.
  @ParameterizedTest
  @ValueSource(strings = {"", "08001", "53300"})
  void emptyPool_isALostConnectionThatIsNotRetried(String state) {
    SQLException empty =
        new SQLTransientConnectionException("no connection", state.isEmpty() ? null : state);
    assertThat(classes(empty)).containsExactly(Class.CONNECTION_LOST);
  }

  @ParameterizedTest
  @CsvSource({"ERROR, true", "FATAL, false", "PANIC, false", "WARNING, false"})
  void isDefinite_onlyBySeverityError(String severity, boolean definite) {
    String message = "S" + severity + "\0C40001\0Mon purpose\0\0";
    assertThat(SqlStates.isDefinite(new PSQLException(new ServerErrorMessage(message))))
        .isEqualTo(definite);
  }

  /// The driver's own exceptions, such as a broken socket, carry no message of the server.
  @Test
  void isDefinite_withoutAServersMessage_isFalse() {
    assertThat(SqlStates.isDefinite(new PSQLException("broken", PSQLState.SERIALIZATION_FAILURE)))
        .isFalse();
    assertThat(SqlStates.isDefinite(state("40001"))).isFalse();
  }
}
