package dev.torg.server.bounds;

import dev.torg.platform.Failure;

/// A request is larger than declared, in the field whose path it names. It is thrown at the value and gets its
/// path while it propagates; like a [Failure] it is frequent and carries no stack trace.
public final class OutOfBoundsException extends RuntimeException {
  private final String code;
  private final String path;
  private final String problem;

  private OutOfBoundsException(String code, String path, String problem) {
    super(problem, null, false, false);
    this.code = code;
    this.path = path;
    this.problem = problem;
  }

  public static OutOfBoundsException of(String problem) {
    return new OutOfBoundsException("request.too-large", "", problem);
  }

  static OutOfBoundsException malformed(String problem) {
    return new OutOfBoundsException("request.malformed", "", problem);
  }

  public static OutOfBoundsException tooLong(int maxLen) {
    return of("must have at most " + maxLen + " characters");
  }

  public static OutOfBoundsException tooManyBytes(int maxBytes) {
    return of("must have at most " + maxBytes + " bytes");
  }

  public static OutOfBoundsException tooMany(FieldBounds field) {
    return of(
        switch (field.maxItems()) {
          case 0 -> "is nested too deeply";
          case 1 -> "must be given once";
          default ->
              "must have at most " + field.maxItems() + (field.isMap() ? " entries" : " items");
        });
  }

  /// The same, in the given field: `offer.title`, `ids`.
  public OutOfBoundsException in(FieldBounds field) {
    return field.isOpaque()
        ? new OutOfBoundsException(code, field.name(), problem)
        : below(field.name());
  }

  /// The same, in an item of the given field: `offer.photos[3].id`.
  public OutOfBoundsException in(FieldBounds field, int item) {
    return field.isOpaque() || !field.isList() ? in(field) : below(field.name() + "[" + item + "]");
  }

  private OutOfBoundsException below(String step) {
    return new OutOfBoundsException(code, path.isEmpty() ? step : step + "." + path, problem);
  }

  public Failure asFailure() {
    return Failure.invalid(code, "a part of the request is beyond its bounds", path, problem);
  }
}
