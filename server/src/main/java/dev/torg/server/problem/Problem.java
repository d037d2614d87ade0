package dev.torg.server.problem;

import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Violation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A failure as told to the caller. No kind: Torg itself is at fault, and nothing but the request id is said.
public record Problem(
    Failure.@Nullable Kind kind,
    String code,
    String detail,
    List<Violation> violations,
    String requestId) {

  static final String INTERNAL = "INTERNAL";

  static Problem of(Failure failure, String requestId) {
    String message = failure.getMessage();
    return new Problem(
        failure.kind(),
        failure.code(),
        message == null ? failure.code() : message,
        failure.violations(),
        requestId);
  }

  static Problem internal(String requestId) {
    return new Problem(
        null,
        "internal",
        "something went wrong in Torg; say " + requestId + " when you report it",
        List.of(),
        requestId);
  }

  public String kindName() {
    return kind == null ? INTERNAL : kind.name();
  }
}
