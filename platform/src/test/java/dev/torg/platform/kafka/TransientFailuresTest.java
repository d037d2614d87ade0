package dev.torg.platform.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Kind;
import dev.torg.platform.db.CommitUnknown;
import dev.torg.platform.db.Database;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TransientFailuresTest {
  static Stream<Throwable> transientFailures() {
    SQLException unavailable = new SQLException("unavailable", "08006");
    return Stream.of(
        new CommitUnknown(unavailable),
        new CommitUnknown(new SQLException("refused", "23505")),
        new TimeoutException("Kafka does not respond"),
        unavailable,
        new SQLTransientConnectionException("no connection"),
        Database.unavailable(unavailable),
        new IllegalStateException("wrapped", Database.unavailable(unavailable)),
        new ExecutionException(new CompletionException(new CommitUnknown(unavailable))),
        new IllegalStateException(new TimeoutException("Kafka does not respond")));
  }

  @ParameterizedTest
  @MethodSource("transientFailures")
  void isTransient_transientFailure_isTrue(Throwable thrown) {
    assertThat(TransientFailures.isTransient(thrown)).isTrue();
  }

  static Stream<Throwable> lasting() {
    SQLException refused = new SQLException("invalid byte sequence", "22021");
    return Stream.of(
        new IllegalStateException("a defect"),
        new StackOverflowError(),
        new RecordTooLargeException("larger than the broker accepts"),
        new AuthorizationException("not allowed"),
        refused,
        Database.unavailable(refused),
        new ExecutionException(Database.unavailable(refused)),
        new IllegalStateException(new IllegalArgumentException("nested")));
  }

  @ParameterizedTest
  @MethodSource("lasting")
  void isTransient_failureThatMayBeTheEventsOwn_isFalse(Throwable thrown) {
    assertThat(TransientFailures.isTransient(thrown)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "40001, true",
    "40P01, true",
    "55P03, true",
    "08006, true",
    "57P01, true",
    "25P03, true",
    "25006, true",
    "28P01, true",
    "3D000, true",
    "53100, true",
    "58030, true",
    "57014, false",
    "23505, false",
    "42P01, false",
    "XX000, false",
  })
  void isTransient_bySqlState(String state, boolean expected) {
    SQLException e = new SQLException("on purpose", state);
    assertThat(TransientFailures.isTransient(e)).isEqualTo(expected);
    assertThat(TransientFailures.isTransient(Database.unavailable(e))).isEqualTo(expected);
  }

  @Test
  void isTransient_failureWithoutCause_dependsOnItsKind() {
    Set<Kind> transientStates = EnumSet.noneOf(Kind.class);
    for (Kind kind : Kind.values()) {
      if (TransientFailures.isTransient(Failure.of(kind, "code", "message"))) {
        transientStates.add(kind);
      }
    }
    assertThat(transientStates).containsExactlyInAnyOrder(Kind.UNAVAILABLE, Kind.EXHAUSTED);
  }

  /// The database's error takes precedence over the kind around it, and the outer one of two over
  /// the inner.
  @Test
  void isTransient_severalCauses_theNearestDecides() {
    SQLException inner = new SQLException("unavailable", "08006");
    SQLException outer = new SQLException("refused", "23505");
    outer.initCause(inner);
    assertThat(TransientFailures.isTransient(Failure.unavailable("code", "message", outer)))
        .isFalse();
  }

  @Test
  void isTransient_causesInACircle_ends() {
    Exception one = new IllegalStateException("one");
    Exception other = new IllegalStateException("other", one);
    one.initCause(other);
    assertThat(TransientFailures.isTransient(one)).isFalse();
  }
}
