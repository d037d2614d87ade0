package dev.torg.server.problem;

import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Violation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A failure as told to the caller. No kind: Torg itself is at fault, and nothing but the request id is said.
public record ProblemDetails(
    Failure.@Nullable Kind kind,
    String code,
    String detail,
    List<Violation> violations,
    String requestId) {

  static final String INTERNAL = "INTERNAL";

  /// Enough to repair a request by, not enough to flood an answer.
  static final int MAX_VIOLATIONS = 100;

  /// Characters of a path or a message: enough to find the field by. Names and values of the request come back in them.
  static final int MAX_TEXT = 200;

  static final int MAX_DETAIL = 1_000;

  static ProblemDetails of(Failure failure, String requestId) {
    String message = failure.getMessage();
    return new ProblemDetails(
        failure.kind(),
        failure.code(),
        shortened(message == null ? failure.code() : message, MAX_DETAIL),
        failure.violations().stream().limit(MAX_VIOLATIONS).map(ProblemDetails::shortened).toList(),
        requestId);
  }

  private static Violation shortened(Violation violation) {
    return new Violation(
        shortened(violation.field(), MAX_TEXT), shortened(violation.message(), MAX_TEXT));
  }

  private static String shortened(String text, int max) {
    if (text.length() <= max) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max;
    return text.substring(0, end) + "…";
  }

  static ProblemDetails internal(String requestId) {
    return new ProblemDetails(
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
