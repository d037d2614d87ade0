package dev.torg.server.access;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.platform.Caller;
import dev.torg.platform.Failure;
import dev.torg.platform.rpc.CurrentCaller;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.netty.util.AsciiString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Stands before every RPC, whichever protocol brought it: admits the caller unless [RpcEntrance] has decided, puts
/// caller, accountable party and idempotency key into the gRPC context, measures the call. One interceptor, because each costs on the hot
/// path. A stream of messages may be as long as it likes, in bytes and in time: each message has its own limit.
public final class RpcGate implements ServerInterceptor {
  private static final AsciiString IDEMPOTENCY_KEY = HttpHeaderNames.of("idempotency-key");

  private final Gate gate;
  private final RpcRules rules;
  private final CallTimers timers;
  private final long maxBytes;

  /// @param maxBytes the longest body of a call with one message
  public RpcGate(Gate gate, RpcRules rules, CallTimers timers, long maxBytes) {
    this.gate = gate;
    this.rules = rules;
    this.timers = timers;
    this.maxBytes = maxBytes;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    ServiceRequestContext ctx = ServiceRequestContext.current();
    boolean single = call.getMethodDescriptor().getType().clientSendsOneMessage();
    if (!single) {
      ctx.clearRequestTimeout();
    }
    String method = call.getMethodDescriptor().getFullMethodName();
    MeasuredCall<Q, A> measured = new MeasuredCall<>(call, timers.of(method));
    try {
      Context context = context(verdict(ctx, method).callerOrThrow(), ctx);
      BodyLength.limit(ctx, single ? maxBytes : BodyLength.UNLIMITED);
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

  private RpcVerdict verdict(ServiceRequestContext ctx, String method) {
    RpcVerdict given = RpcEntrance.verdict(ctx);
    return given == null ? rules.decide(gate, ctx, method) : given;
  }

  private static Context context(@Nullable Caller caller, ServiceRequestContext ctx) {
    Context context = Context.ROOT.withValue(RequestOrigin.KEY, ctx.request().headers());
    if (caller != null) {
      context = context.withValue(CurrentCaller.KEY, caller);
    }
    String accountable = accountable(caller, ctx);
    if (accountable != null) {
      context = context.withValue(CurrentCaller.ACCOUNTABLE, accountable);
    }
    String key = idempotencyKey(ctx);
    return key == null ? context : context.withValue(CurrentCaller.IDEMPOTENCY_KEY, key);
  }

  /// As for the rate: anonymous callers are counted by their address, services not at all.
  private static @Nullable String accountable(@Nullable Caller caller, ServiceRequestContext ctx) {
    if (caller == null || caller.isAnonymous()) {
      return ctx.clientAddress().getHostAddress();
    }
    return caller.has(Caller.Role.SERVICE) ? null : caller.subject();
  }

  private static @Nullable String idempotencyKey(ServiceRequestContext ctx) {
    List<String> keys = ctx.request().headers().getAll(IDEMPOTENCY_KEY);
    if (keys.isEmpty()) {
      return null;
    }
    if (keys.size() > 1 || keys.getFirst().isBlank()) {
      throw Failure.invalid(
          "idempotency-key.malformed",
          "bad idempotency key",
          "Idempotency-Key",
          "must be given once and not be empty");
    }
    return keys.getFirst();
  }
}
