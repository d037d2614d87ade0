package dev.torg.server.problem;

import com.google.protobuf.InvalidProtocolBufferException;
import com.linecorp.armeria.common.ClosedSessionException;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.RequestContext;
import com.linecorp.armeria.common.ResponseCompleteException;
import com.linecorp.armeria.common.ShuttingDownException;
import com.linecorp.armeria.common.TimeoutException;
import com.linecorp.armeria.common.stream.AbortedStreamException;
import com.linecorp.armeria.common.stream.CancelledSubscriptionException;
import com.linecorp.armeria.common.stream.ClosedStreamException;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.server.HttpStatusException;
import com.linecorp.armeria.server.RequestCancellationException;
import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Kind;
import dev.torg.platform.db.CommitUnknown;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/// Turns any throwable into a [ProblemDetails]. An unexpected one is logged here, once, with the request id,
/// and the caller receives that id and nothing else.
public final class Problems {
  /// The code of a request in a compression that is not accepted.
  public static final String ENCODING = "request.encoding";

  private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

  private Problems() {}

  public static ProblemDetails of(RequestContext ctx, Throwable thrown) {
    return of(ctx.id().text(), ctx.path(), thrown);
  }

  static ProblemDetails of(String requestId, String path, Throwable thrown) {
    Failure failure = asFailure(Exceptions.peel(thrown));
    if (failure != null) {
      return ProblemDetails.of(failure, requestId);
    }
    try (var _ = MDC.putCloseable("requestId", requestId)) {
      LOG.error("request {} to {} failed unexpectedly", requestId, path, thrown);
    }
    return ProblemDetails.internal(requestId);
  }

  /// A failure that needs no attention of an operator, or null.
  static @Nullable Failure asFailure(Throwable thrown) {
    return switch (thrown) {
      case Failure failure -> failure;
      case StatusRuntimeException e -> ofStatus(e.getStatus());
      case StatusException e -> ofStatus(e.getStatus());
      case ContentTooLargeException _ -> tooLarge();
      case HttpStatusException e -> ofHttpStatus(e.httpStatus().code());
      case InvalidProtocolBufferException e -> malformed(e);
      case RuntimeException e when e.getCause() instanceof ZipException -> malformed(e);
      case CommitUnknown e ->
          Failure.unavailable(
              "commit.unknown",
              "it is unknown whether the change was applied; check before you retry",
              e);
      case TimeoutException e ->
          Failure.unavailable("request.timeout", "the request took too long", e);
      case ShuttingDownException e ->
          Failure.unavailable("server.stopping", "this server is shutting down", e);
      default -> isClientGone(thrown) ? clientGone(thrown) : null;
    };
  }

  /// The caller disconnected or the response is already complete: nothing more can be sent.
  public static boolean isClientGone(Throwable thrown) {
    return thrown instanceof ClosedStreamException
        || thrown instanceof ClosedSessionException
        || thrown instanceof AbortedStreamException
        || thrown instanceof CancelledSubscriptionException
        || thrown instanceof RequestCancellationException
        || thrown instanceof ResponseCompleteException;
  }

  public static Failure tooLarge() {
    return Failure.of(Kind.INVALID, "request.too-large", "the request is larger than allowed");
  }

  /// The caller can avoid it by requesting fewer items.
  public static Failure responseTooLarge() {
    return Failure.of(
        Kind.INVALID,
        "response.too-large",
        "the response would be larger than allowed; request fewer items at a time");
  }

  static Failure malformed(Throwable cause) {
    return new Failure(
        Kind.INVALID, "request.malformed", "the request cannot be read", List.of(), cause);
  }

  private static Failure clientGone(Throwable cause) {
    return Failure.unavailable("request.cancelled", "the request was cancelled", cause);
  }

  /// Protocol errors found by the HTTP server itself.
  static Failure ofHttpStatus(int status) {
    return switch (status) {
      case 401 -> Failure.unauthenticated("token.missing", "this call needs a token");
      case 403 -> Failure.forbidden("forbidden", "this is not allowed");
      case 404 -> Failure.notFound("http.no-such-route", "there is nothing at this address");
      case 409 -> Failure.conflict("conflict", "this conflicts with the current state");
      case 413 -> tooLarge();
      case 429 -> Failure.exhausted("rate.exceeded", "too many requests");
      default ->
          status < 500
              ? Failure.of(Kind.INVALID, "request.malformed", "the request cannot be read")
              : Failure.unavailable("server.unavailable", "try again later", null);
    };
  }

  /// The gRPC runtime's own errors, e.g. a frame that is too large. It calls a frame or message of the
  /// caller that it cannot read INTERNAL; what failed on our side has another cause.
  private static @Nullable Failure ofStatus(Status status) {
    Throwable cause = status.getCause();
    if (cause instanceof Failure failure) {
      return failure;
    }
    return switch (status.getCode()) {
      case RESOURCE_EXHAUSTED -> tooLarge();
      case INVALID_ARGUMENT, OUT_OF_RANGE, FAILED_PRECONDITION -> malformed(asCause(status));
      case UNIMPLEMENTED -> Failure.notFound("rpc.unimplemented", "this call is not served here");
      case NOT_FOUND -> Failure.notFound("not-found", "not found");
      case ALREADY_EXISTS, ABORTED -> Failure.conflict("conflict", "conflict");
      case PERMISSION_DENIED -> Failure.forbidden("forbidden", "this is not allowed");
      case UNAUTHENTICATED -> Failure.unauthenticated("token.missing", "this call needs a token");
      case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED ->
          Failure.unavailable("server.unavailable", "try again later", asCause(status));
      case INTERNAL ->
          cause == null || cause instanceof InvalidProtocolBufferException
              ? malformed(asCause(status))
              : null;
      case OK, UNKNOWN, DATA_LOSS -> null;
    };
  }

  private static Throwable asCause(Status status) {
    return status.asRuntimeException();
  }
}
