package dev.torg.platform.kafka;

import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Kind;
import dev.torg.platform.db.CommitUnknown;
import dev.torg.platform.db.SqlStates;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;

/// Distinguishes transient failures from those that the event itself may cause.
///
/// The nearest cause with a known classification decides. A [Failure] of kind UNAVAILABLE may wrap a statement
/// that the database refused because of its data: that one would fail for ever, so the SQL state takes
/// precedence over the kind.
final class TransientFailures {
  private TransientFailures() {}

  static boolean isTransient(Throwable thrown) {
    List<Throwable> chain = chain(thrown);
    for (Throwable cause : chain) {
      if (cause instanceof CommitUnknown || cause instanceof RetriableException) {
        return true;
      }
      if (cause instanceof SQLException failure) {
        return !SqlStates.isPermanent(failure);
      }
    }
    return chain.stream().anyMatch(TransientFailures::isUnavailable);
  }

  private static boolean isUnavailable(Throwable cause) {
    return cause instanceof Failure failure
        && (failure.kind() == Kind.UNAVAILABLE || failure.kind() == Kind.EXHAUSTED);
  }

  private static List<Throwable> chain(Throwable thrown) {
    List<Throwable> chain = new ArrayList<>();
    for (@Nullable Throwable cause = thrown;
        cause != null && !chain.contains(cause);
        cause = cause.getCause()) {
      chain.add(cause);
    }
    return chain;
  }
}
