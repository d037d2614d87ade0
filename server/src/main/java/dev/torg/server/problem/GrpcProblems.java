package dev.torg.server.problem;

import com.google.protobuf.Any;
import com.linecorp.armeria.common.RequestContext;
import com.linecorp.armeria.common.grpc.GrpcExceptionHandlerFunction;
import com.linecorp.armeria.common.logging.RequestLogProperty;
import dev.torg.api.v1.Violation;
import dev.torg.platform.Failure;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import org.jspecify.annotations.Nullable;

/// The only mapping of failures to gRPC: a status and, in `grpc-status-details-bin`, a `torg.v1.Problem`.
public final class GrpcProblems implements GrpcExceptionHandlerFunction {
  private static final Metadata.Key<com.google.rpc.Status> DETAILS =
      Metadata.Key.of(
          "grpc-status-details-bin",
          ProtoUtils.metadataMarshaller(com.google.rpc.Status.getDefaultInstance()));

  /// Violations are sent in a trailer, and clients accept 8 kB of trailers in all, in base64.
  private static final int MAX_VIOLATION_BYTES = 3_000;

  @Override
  public Status apply(RequestContext ctx, Status status, Throwable cause, Metadata trailers) {
    if (Problems.isClientGone(cause)) {
      return Status.CANCELLED;
    }
    ProblemDetails problem =
        Problems.of(ctx, isTruncatedFrame(ctx, cause) ? Problems.malformed(cause) : cause);
    // With its cause, because Armeria passes the status of an unreadable request here once more.
    Status mapped = status(problem).withDescription(problem.detail()).withCause(cause);
    trailers.discardAll(DETAILS);
    trailers.put(DETAILS, details(mapped, problem));
    return mapped;
  }

  /// A frame that is shorter than its header declares: Armeria reads past its end.
  private static boolean isTruncatedFrame(RequestContext ctx, Throwable cause) {
    return cause instanceof IndexOutOfBoundsException
        && !ctx.log().isAvailable(RequestLogProperty.REQUEST_CONTENT);
  }

  /// gRPC has a status of its own for a compression that the server does not know.
  private static Status status(ProblemDetails problem) {
    return problem.code().equals(Problems.ENCODING) ? Status.UNIMPLEMENTED : status(problem.kind());
  }

  static Status status(Failure.@Nullable Kind kind) {
    return switch (kind) {
      case null -> Status.INTERNAL;
      case INVALID -> Status.INVALID_ARGUMENT;
      case NOT_FOUND -> Status.NOT_FOUND;
      case CONFLICT -> Status.ABORTED;
      case FORBIDDEN -> Status.PERMISSION_DENIED;
      case UNAUTHENTICATED -> Status.UNAUTHENTICATED;
      case EXHAUSTED -> Status.RESOURCE_EXHAUSTED;
      case UNAVAILABLE -> Status.UNAVAILABLE;
    };
  }

  private static com.google.rpc.Status details(Status status, ProblemDetails problem) {
    return com.google.rpc.Status.newBuilder()
        .setCode(status.getCode().value())
        .setMessage(problem.detail())
        .addDetails(Any.pack(message(problem)))
        .build();
  }

  private static dev.torg.api.v1.Problem message(ProblemDetails problem) {
    var message =
        dev.torg.api.v1.Problem.newBuilder()
            .setKind(problem.kindName())
            .setCode(problem.code())
            .setDetail(problem.detail())
            .setRequestId(problem.requestId());
    int bytes = 0;
    for (Failure.Violation violation : problem.violations()) {
      Violation encoded =
          Violation.newBuilder()
              .setField(violation.field())
              .setMessage(violation.message())
              .build();
      bytes += encoded.getSerializedSize();
      if (bytes > MAX_VIOLATION_BYTES) {
        break;
      }
      message.addViolations(encoded);
    }
    return message.build();
  }
}
