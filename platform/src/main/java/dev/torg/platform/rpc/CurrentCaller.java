package dev.torg.platform.rpc;

import dev.torg.platform.Caller;
import dev.torg.platform.Failure;
import io.grpc.Context;
import java.util.Optional;

/// The caller of the RPC in progress. The server puts it into the gRPC context after checking the
/// token and the method's declaration; adapters read it on the calling thread and pass it on as a
/// value.
public final class CurrentCaller {
  public static final Context.Key<Caller> KEY = Context.key("torg-caller");

  /// The key that waiting work of the call is counted against: the subject, or the client's address for
  /// anonymous callers and calls without a token, which can create any number of subjects. Absent for services.
  public static final Context.Key<String> ACCOUNTABLE = Context.key("torg-accountable");

  /// The Idempotency-Key header of the call in progress.
  public static final Context.Key<String> IDEMPOTENCY_KEY = Context.key("torg-idempotency-key");

  /// The Accept-Language header of the call in progress.
  public static final Context.Key<String> ACCEPT_LANGUAGE = Context.key("torg-accept-language");

  private CurrentCaller() {}

  public static Optional<Caller> get() {
    return Optional.ofNullable(KEY.get());
  }

  public static Caller required() {
    return get()
        .orElseThrow(() -> Failure.unauthenticated("token.missing", "this call needs a token"));
  }

  /// The Accept-Language header, empty if there is none.
  public static String acceptLanguage() {
    String header = ACCEPT_LANGUAGE.get();
    return header == null ? "" : header;
  }

  /// The header, or the field of the request; if both are given they must be equal.
  public static Optional<String> idempotencyKey(String field) {
    String header = IDEMPOTENCY_KEY.get();
    if (header != null && !field.isEmpty() && !header.equals(field)) {
      throw Failure.invalid(
          "idempotency-key.malformed",
          "the header Idempotency-Key and the request's field contradict each other",
          "idempotencyKey",
          "differs from the header");
    }
    return Optional.of(header != null ? header : field).filter(key -> !key.isEmpty());
  }
}
