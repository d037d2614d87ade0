package dev.torg.server.problem;

import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Violation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A failure as reported to the caller. Without a kind: an internal error, of which only the request id is
/// disclosed.
public record ProblemDetails(
    Failure.@Nullable Kind kind,
    String code,
    String detail,
    List<Violation> violations,
    String requestId) {

  static final String INTERNAL = "INTERNAL";

  /// Enough to correct a request, not enough to flood a response.
  static final int MAX_VIOLATIONS = 100;

  /// Characters of a path or a message: enough to find the field. They contain names and values of the request.
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
        "internal error; include request id " + requestId + " when you report it",
        List.of(),
        requestId);
  }

  public String kindName() {
    return kind == null ? INTERNAL : kind.name();
  }
}
