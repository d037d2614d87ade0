package dev.torg.server.problem;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.HttpResponseException;
import com.linecorp.armeria.server.HttpStatusException;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.platform.Failure;
import dev.torg.server.route.RequestIds;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The only mapping of failures to HTTP: a status and an `application/problem+json` body (RFC 9457). Everything
/// that fails outside an RPC is mapped here too: missing routes, wrong methods, protocol violations.
public final class HttpProblems implements ServerErrorHandler {
  public static final MediaType PROBLEM_JSON = MediaType.create("application", "problem+json");

  private static final String TYPE_PREFIX = "urn:torg:problem:";
  private static final ObjectMapper JSON = new ObjectMapper();

  /// Armeria's message for an address that it cannot decode.
  private static final String BAD_PATH = "Invalid request path";

  /// The response to a method that HTTP does not define, at any address: the services never see such a request.
  private static final List<HttpMethod> ALL =
      List.of(HttpMethod.DELETE, HttpMethod.GET, HttpMethod.PATCH, HttpMethod.POST, HttpMethod.PUT);

  private final Function<ServiceRequestContext, List<HttpMethod>> allowed;
  private final Consumer<ServiceRequestContext> onUnrouted;

  /// @param allowed the methods that the address of a request accepts
  /// @param onUnrouted is called for each request without a route, and may refuse it in another way
  public HttpProblems(
      Function<ServiceRequestContext, List<HttpMethod>> allowed,
      Consumer<ServiceRequestContext> onUnrouted) {
    this.allowed = allowed;
    this.onUnrouted = onUnrouted;
  }

  @Override
  public HttpResponse onServiceException(ServiceRequestContext ctx, Throwable cause) {
    return switch (cause) {
      case HttpResponseException thrown -> thrown.httpResponse();
      case HttpStatusException e when isUnrouted(e.httpStatus()) -> unrouted(ctx, e.httpStatus());
      default -> respond(ctx, cause);
    };
  }

  private HttpResponse unrouted(ServiceRequestContext ctx, HttpStatus status) {
    Failure refusal = unroutedRefusal(ctx);
    if (refusal != null) {
      return respond(ctx, refusal);
    }
    return isMethodNotAllowed(status)
        ? methodNotAllowed(ctx).toHttpResponse()
        : respond(ctx, HttpStatusException.of(status));
  }

  private @Nullable Failure unroutedRefusal(ServiceRequestContext ctx) {
    try {
      onUnrouted.accept(ctx);
      return null;
    } catch (Failure refusal) {
      return refusal;
    }
  }

  private static boolean isUnrouted(HttpStatus status) {
    return isMethodNotAllowed(status) || status.code() == HttpStatus.NOT_FOUND.code();
  }

  @Override
  public AggregatedHttpResponse renderStatus(
      @Nullable ServiceRequestContext ctx,
      ServiceConfig config,
      @Nullable RequestHeaders headers,
      HttpStatus status,
      @Nullable String description,
      @Nullable Throwable cause) {
    String requestId = ctx == null ? RequestIds.of(headers) : ctx.id().text();
    Failure refusal = ctx != null && isUnrouted(status) ? unroutedRefusal(ctx) : null;
    if (refusal != null) {
      return render(ProblemDetails.of(refusal, requestId));
    }
    if (isMethodNotAllowed(status)) {
      return ctx == null ? methodNotAllowed(requestId, ALL) : methodNotAllowed(ctx);
    }
    Failure expected = cause == null ? null : Problems.asFailure(cause);
    Failure failure = expected == null ? ofProtocol(status, description) : expected;
    return render(ProblemDetails.of(failure, requestId));
  }

  /// Requests that the HTTP server itself refuses, before there is a route.
  private static Failure ofProtocol(HttpStatus status, @Nullable String description) {
    return BAD_PATH.equals(description)
        ? Failure.of(
            Failure.Kind.INVALID,
            "request.malformed",
            "the address cannot be read: it is not well encoded")
        : Problems.ofHttpStatus(status.code());
  }

  public static HttpResponse respond(ServiceRequestContext ctx, Throwable cause) {
    return render(Problems.of(ctx, cause)).toHttpResponse();
  }

  /// 405 if the address serves other methods, else 404.
  private AggregatedHttpResponse methodNotAllowed(ServiceRequestContext ctx) {
    List<HttpMethod> methods = allowed.apply(ctx);
    String requestId = ctx.id().text();
    if (methods.isEmpty()) {
      return render(
          ProblemDetails.of(Problems.ofHttpStatus(HttpStatus.NOT_FOUND.code()), requestId));
    }
    return methodNotAllowed(requestId, methods);
  }

  private static AggregatedHttpResponse methodNotAllowed(
      String requestId, List<HttpMethod> methods) {
    AggregatedHttpResponse problem =
        render(HttpStatus.METHOD_NOT_ALLOWED, methodNotAllowed(requestId));
    String names = methods.stream().map(HttpMethod::name).collect(Collectors.joining(", "));
    return AggregatedHttpResponse.of(
        problem.headers().toBuilder().set(HttpHeaderNames.ALLOW, names).build(), problem.content());
  }

  private static boolean isMethodNotAllowed(HttpStatus status) {
    return status.code() == HttpStatus.METHOD_NOT_ALLOWED.code();
  }

  /// @param kind null for an error of the server itself
  public static HttpStatus status(Failure.@Nullable Kind kind) {
    return switch (kind) {
      case null -> HttpStatus.INTERNAL_SERVER_ERROR;
      case INVALID -> HttpStatus.BAD_REQUEST;
      case NOT_FOUND -> HttpStatus.NOT_FOUND;
      case CONFLICT -> HttpStatus.CONFLICT;
      case FORBIDDEN -> HttpStatus.FORBIDDEN;
      case UNAUTHENTICATED -> HttpStatus.UNAUTHORIZED;
      case EXHAUSTED -> HttpStatus.TOO_MANY_REQUESTS;
      case UNAVAILABLE -> HttpStatus.SERVICE_UNAVAILABLE;
    };
  }

  private static String title(Failure.@Nullable Kind kind) {
    return switch (kind) {
      case null -> "Internal error";
      case INVALID -> "Invalid request";
      case NOT_FOUND -> "Not found";
      case CONFLICT -> "Conflict";
      case FORBIDDEN -> "Forbidden";
      case UNAUTHENTICATED -> "Unauthenticated";
      case EXHAUSTED -> "Too many requests";
      case UNAVAILABLE -> "Unavailable";
    };
  }

  private static ProblemDetails methodNotAllowed(String requestId) {
    return ProblemDetails.of(
        Failure.of(
            Failure.Kind.INVALID,
            "http.method-not-allowed",
            "this address does not take this method"),
        requestId);
  }

  private static AggregatedHttpResponse render(ProblemDetails problem) {
    return render(status(problem.kind()), problem);
  }

  private static AggregatedHttpResponse render(HttpStatus status, ProblemDetails problem) {
    var headers =
        ResponseHeaders.builder(status)
            .contentType(PROBLEM_JSON)
            .set(RequestIds.HEADER, problem.requestId());
    if (problem.kind() == Failure.Kind.UNAUTHENTICATED) {
      headers.set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
    }
    byte[] body = json(status, problem).toString().getBytes(StandardCharsets.UTF_8);
    return AggregatedHttpResponse.of(headers.build(), HttpData.wrap(body));
  }

  private static ObjectNode json(HttpStatus status, ProblemDetails problem) {
    ObjectNode json = JSON.createObjectNode();
    json.put("type", TYPE_PREFIX + problem.code());
    json.put("title", title(problem.kind()));
    json.put("status", status.code());
    json.put("code", problem.code());
    json.put("detail", problem.detail());
    ArrayNode violations = json.putArray("violations");
    problem
        .violations()
        .forEach(
            violation ->
                violations
                    .addObject()
                    .put("field", violation.field())
                    .put("message", violation.message()));
    json.put("requestId", problem.requestId());
    return json;
  }
}
