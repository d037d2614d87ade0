package dev.torg.server.access;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.api.v1.IdentityServiceGrpc;
import dev.torg.platform.Caller;
import dev.torg.platform.rpc.CurrentCaller;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.netty.util.AsciiString;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Stands before every RPC, whichever protocol brought it: admits the caller, puts caller and idempotency key into the
/// gRPC context, measures the call. One interceptor, because each costs on the hot path. A stream of messages may be as
/// long as it likes: each message has its own limit.
public final class RpcGate implements ServerInterceptor {
  private static final AsciiString IDEMPOTENCY_KEY = HttpHeaderNames.of("idempotency-key");
  private static final String NEW_IDENTITY =
      IdentityServiceGrpc.getCreateAnonymousMethod().getFullMethodName();

  /// A message that is too large is told so in gRPC's words; only a body far beyond that is cut off by HTTP.
  private static final long ROOM = 2;

  private static final long UNLIMITED = 0;

  private final Gate gate;
  private final Map<String, Callers> callers;
  private final CallTimers timers;
  private final long maxBytes;

  /// `callers` by full method name.
  public RpcGate(Gate gate, Map<String, Callers> callers, CallTimers timers, int maxBytes) {
    this.gate = gate;
    this.callers = Map.copyOf(callers);
    this.timers = timers;
    this.maxBytes = maxBytes;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    ServiceRequestContext ctx = ServiceRequestContext.current();
    boolean single = call.getMethodDescriptor().getType().clientSendsOneMessage();
    ctx.setMaxRequestLength(single ? ROOM * maxBytes : UNLIMITED);
    String method = call.getMethodDescriptor().getFullMethodName();
    MeasuredCall<Q, A> measured = new MeasuredCall<>(call, timers.of(method));
    try {
      Context context = context(admit(ctx, method), ctx);
      Context before = context.attach();
      try {
        return new AdmittedListener<>(next.startCall(measured, headers), measured, context);
      } finally {
        context.detach(before);
      }
    } catch (RuntimeException e) {
      measured.failed(e);
      return new ServerCall.Listener<>() {};
    }
  }

  private @Nullable Caller admit(ServiceRequestContext ctx, String method) {
    Callers declared = callers.get(method);
    if (declared == null) {
      throw new IllegalStateException(method + " is served without a declaration of its callers");
    }
    Caller caller = gate.admit(ctx, declared);
    if (method.equals(NEW_IDENTITY)) {
      gate.admitNewIdentity(ctx);
    }
    return caller;
  }

  private static Context context(@Nullable Caller caller, ServiceRequestContext ctx) {
    Context context = Context.ROOT;
    if (caller != null) {
      context = context.withValue(CurrentCaller.KEY, caller);
    }
    String key = ctx.request().headers().get(IDEMPOTENCY_KEY);
    return key == null ? context : context.withValue(CurrentCaller.IDEMPOTENCY_KEY, key);
  }
}
