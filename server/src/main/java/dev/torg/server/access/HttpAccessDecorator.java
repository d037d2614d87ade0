package dev.torg.server.access;

import com.linecorp.armeria.common.ExchangeType;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.RoutingContext;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import dev.torg.platform.Caller;
import dev.torg.platform.Failure;
import dev.torg.server.problem.HttpProblems;
import io.netty.util.AttributeKey;
import java.util.Optional;

/// Authorizes calls of a plain HTTP service from their headers, before the body is read. The service finds the
/// admitted caller with [#caller].
public final class HttpAccessDecorator extends SimpleDecoratingHttpService {
  /// Smaller responses are bounded by the number of calls in flight.
  private static final int LARGE_BYTES = 16 * 1024;

  private static final AttributeKey<Caller> CALLER =
      AttributeKey.valueOf(HttpAccessDecorator.class, "CALLER");

  private final AccessControl accessControl;
  private final CallerPolicy callerPolicy;
  private final boolean endless;
  private final boolean streaming;
  private final long maxBytes;

  /// @param endless a stream that ends when its client disconnects: a stopping server cuts it
  /// @param streaming the response is sent in pieces, each of which shows that its client is reading
  /// @param maxBytes the longest body; 0 has no limit
  public HttpAccessDecorator(
      HttpService service,
      AccessControl accessControl,
      CallerPolicy callerPolicy,
      boolean endless,
      boolean streaming,
      long maxBytes) {
    super(service);
    this.streaming = streaming;
    this.accessControl = accessControl;
    this.callerPolicy = callerPolicy;
    this.endless = endless;
    this.maxBytes = maxBytes;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) throws Exception {
    try {
      Caller caller =
          endless
              ? accessControl.authorizeStream(ctx, callerPolicy)
              : accessControl.authorize(ctx, callerPolicy);
      if (caller != null) {
        ctx.setAttr(CALLER, caller);
      }
    } catch (Failure refusal) {
      return HttpResponse.of(
          BodyLength.discard(ctx, request).thenApply(_ -> HttpProblems.respond(ctx, refusal)));
    }
    BodyLength.limit(ctx, maxBytes);
    HttpResponse response = unwrap().serve(ctx, request);
    return streaming
        ? response.peekData(_ -> accessControl.progress(ctx))
        : response.mapHeaders(headers -> countBytes(ctx, headers));
  }

  /// A response that is not streamed is held as a whole until it is written.
  private ResponseHeaders countBytes(ServiceRequestContext ctx, ResponseHeaders headers) {
    if (headers.contentLength() > LARGE_BYTES) {
      accessControl.acquireResponseBytes(ctx, headers.contentLength());
    }
    return headers;
  }

  /// Otherwise a service that reads its body as a whole would have it collected before the call is authorized.
  @Override
  public ExchangeType exchangeType(RoutingContext routing) {
    ExchangeType type = super.exchangeType(routing);
    return type.isResponseStreaming()
        ? ExchangeType.BIDI_STREAMING
        : ExchangeType.REQUEST_STREAMING;
  }

  public static Optional<Caller> caller(ServiceRequestContext ctx) {
    return Optional.ofNullable(ctx.attr(CALLER));
  }
}
