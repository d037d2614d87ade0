package dev.torg.server.access;

import com.linecorp.armeria.common.ExchangeType;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.HttpStatusException;
import com.linecorp.armeria.server.RoutingContext;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import dev.torg.server.quota.RequestMemory;
import io.netty.util.AttributeKey;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Authorizes calls at the gRPC addresses from their headers, before the body is read. A refused call continues
/// without its body to [RpcAccessInterceptor], which ends it with a gRPC status.
public final class GrpcAccessDecorator extends SimpleDecoratingHttpService {
  private static final AttributeKey<AccessDecision> VERDICT =
      AttributeKey.valueOf(GrpcAccessDecorator.class, "VERDICT");

  private final AccessControl accessControl;
  private final RpcAccessRules rules;

  public GrpcAccessDecorator(
      HttpService service, AccessControl accessControl, RpcAccessRules rules) {
    super(service);
    this.accessControl = accessControl;
    this.rules = rules;
  }

  /// The decision made here, or null for a call over another protocol.
  static @Nullable AccessDecision verdict(ServiceRequestContext ctx) {
    return ctx.attr(VERDICT);
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) throws Exception {
    if (ctx.method() != HttpMethod.POST) {
      throw HttpStatusException.of(HttpStatus.METHOD_NOT_ALLOWED);
    }
    String method = ctx.path().substring(1);
    AccessDecision verdict = rules.decide(accessControl, ctx, method);
    ctx.setAttr(VERDICT, verdict);
    if (verdict.refusal() == null) {
      if (!isGrpc(request)) { // It is collected before RpcAccessInterceptor sees the call.
        BodyLength.limit(ctx, rules.maxBytes(method));
      }
      return unwrap().serve(ctx, RequestMemory.counted(ctx, request));
    }
    CompletableFuture<Void> arrived = BodyLength.discard(ctx, request);
    HttpResponse refusal = unwrap().serve(ctx, withoutBody(ctx, request));
    return HttpResponse.of(arrived.thenApply(_ -> refusal));
  }

  private static boolean isGrpc(HttpRequest request) {
    MediaType type = request.contentType();
    return type != null && type.subtype().startsWith("grpc");
  }

  private static HttpRequest withoutBody(ServiceRequestContext ctx, HttpRequest request) {
    RequestHeaders headers = request.headers();
    HttpRequest empty = HttpRequest.of(headers);
    ctx.updateRequest(empty);
    return empty;
  }

  /// Otherwise the server would collect the body of a unary call before the call is authorized.
  @Override
  public ExchangeType exchangeType(RoutingContext routing) {
    ExchangeType type = super.exchangeType(routing);
    return type.isResponseStreaming()
        ? ExchangeType.BIDI_STREAMING
        : ExchangeType.REQUEST_STREAMING;
  }
}
