package dev.torg.server.problem;

import com.google.protobuf.InvalidProtocolBufferException;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.grpc.UnframedGrpcErrorHandler;
import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Kind;
import dev.torg.platform.Failure.Violation;
import io.grpc.Status;
import java.util.Base64;
import java.util.List;

/// Failures of methods called at their gRPC address with plain JSON, as the interactive documentation does:
/// converts the problem in the trailers to problem+json.
public final class UnframedProblems implements UnframedGrpcErrorHandler {
  private static final String DETAILS = "grpc-status-details-bin";

  @Override
  public HttpResponse handle(
      ServiceRequestContext ctx, Status status, AggregatedHttpResponse response) {
    String details = response.trailers().get(DETAILS, response.headers().get(DETAILS, ""));
    try {
      var parsed = com.google.rpc.Status.parseFrom(Base64.getDecoder().decode(details));
      return HttpProblems.respond(
          ctx, failure(parsed.getDetails(0).unpack(dev.torg.api.v1.Problem.class), status));
    } catch (InvalidProtocolBufferException
        | IllegalArgumentException
        | IndexOutOfBoundsException e) {
      return HttpProblems.respond(ctx, status.asRuntimeException());
    }
  }

  private static Throwable failure(dev.torg.api.v1.Problem problem, Status status) {
    if (problem.getKind().equals(ProblemDetails.INTERNAL)) {
      return status.asRuntimeException();
    }
    List<Violation> violations =
        problem.getViolationsList().stream()
            .map(violation -> new Violation(violation.getField(), violation.getMessage()))
            .toList();
    return new Failure(
        Kind.valueOf(problem.getKind()), problem.getCode(), problem.getDetail(), violations, null);
  }
}
