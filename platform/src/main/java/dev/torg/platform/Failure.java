package dev.torg.platform;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The one exception with which Torg refuses a request. The message is safe to show; the code is stable for
/// machines; the server maps the kind once to a gRPC status and once to an HTTP status.
///
/// Refusals are frequent and have to be cheap: only a failure with a cause carries a stack trace.
public final class Failure extends RuntimeException {
  public enum Kind {
    INVALID,
    NOT_FOUND,
    CONFLICT,
    FORBIDDEN,
    UNAUTHENTICATED,
    EXHAUSTED,
    UNAVAILABLE
  }

  /// What is wrong with one field of the request; the path is as in JSON: `offer.attributes.year`.
  public record Violation(String field, String message) {}

  private final Kind kind;
  private final String code;
  private final transient List<Violation> violations;

  public Failure(
      Kind kind,
      String code,
      String message,
      List<Violation> violations,
      @Nullable Throwable cause) {
    super(message, cause, true, cause != null);
    this.kind = kind;
    this.code = code;
    this.violations = List.copyOf(violations);
  }

  public static Failure of(Kind kind, String code, String message) {
    return new Failure(kind, code, message, List.of(), null);
  }

  public static Failure invalid(String code, String message, String field, String problem) {
    return invalid(code, message, List.of(new Violation(field, problem)));
  }

  public static Failure invalid(String code, String message, List<Violation> violations) {
    return new Failure(Kind.INVALID, code, message, violations, null);
  }

  public static Failure notFound(String code, String message) {
    return of(Kind.NOT_FOUND, code, message);
  }

  public static Failure conflict(String code, String message) {
    return of(Kind.CONFLICT, code, message);
  }

  public static Failure forbidden(String code, String message) {
    return of(Kind.FORBIDDEN, code, message);
  }

  public static Failure unauthenticated(String code, String message) {
    return of(Kind.UNAUTHENTICATED, code, message);
  }

  public static Failure exhausted(String code, String message) {
    return of(Kind.EXHAUSTED, code, message);
  }

  public static Failure unavailable(String code, String message, @Nullable Throwable cause) {
    return new Failure(Kind.UNAVAILABLE, code, message, List.of(), cause);
  }

  public Kind kind() {
    return kind;
  }

  public String code() {
    return code;
  }

  public List<Violation> violations() {
    return violations;
  }
}
