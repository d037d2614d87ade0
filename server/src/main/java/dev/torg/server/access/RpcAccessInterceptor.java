package dev.torg.server.access;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.platform.Caller;
import dev.torg.platform.Failure;
import dev.torg.platform.rpc.CurrentCaller;
import dev.torg.server.problem.Problems;
import dev.torg.server.quota.CallsInFlight;
import dev.torg.server.quota.RequestMemory;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.netty.util.AsciiString;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Wraps every RPC, over every protocol: authorizes the call unless [GrpcAccessDecorator] has done so, puts
/// caller, accountable party and idempotency key into the gRPC context, measures the call. One interceptor,
/// because each has a cost on the hot path. A stream of messages may be of any length in bytes: each message
/// has its own limit. Time is limited by [CallDeadline].
public final class RpcAccessInterceptor implements ServerInterceptor {
  private static final AsciiString IDEMPOTENCY_KEY = HttpHeaderNames.of("idempotency-key");
  private static final AsciiString GRPC_ENCODING = HttpHeaderNames.of("grpc-encoding");
  private static final String IDENTITY = "identity";

  private final AccessControl accessControl;
  private final RpcAccessRules rules;
  private final CallMetrics metrics;
  private final int maxBodyFactor;
  private final int maxResponseBytes;
  private final Duration timeout;

  /// @param capacity how many times as long as its one message the body of a call may be
  /// @param maxResponseBytes the largest message of a response
  /// @param timeout see [CallDeadline]
  public RpcAccessInterceptor(
      AccessControl accessControl,
      RpcAccessRules rules,
      CallMetrics callMetrics,
      int capacity,
      int maxResponseBytes,
      Duration timeout) {
    this.accessControl = accessControl;
    this.rules = rules;
    this.metrics = callMetrics;
    this.maxBodyFactor = capacity;
    this.maxResponseBytes = maxResponseBytes;
    this.timeout = timeout;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    ServiceRequestContext ctx = ServiceRequestContext.current();
    MethodType type = call.getMethodDescriptor().getType();
    boolean single = type.clientSendsOneMessage();
    CallDeadline deadline = CallDeadline.start(ctx, type, timeout);
    String method = call.getMethodDescriptor().getFullMethodName();
    MeasuredCall<Q, A> measured =
        new MeasuredCall<>(
            call, metrics.of(method), new ResponseMemory(accessControl, ctx, maxResponseBytes));
    try {
      Caller caller = verdict(ctx, method).callerOrThrow();
      Context context = context(caller, ctx);
      refuseCompressed(ctx);
      long maxBytes = (long) maxBodyFactor * rules.maxBytes(method);
      BodyLength.limit(ctx, single ? maxBytes : BodyLength.UNLIMITED);
      Context before = context.attach();
      try {
        return new AdmittedListener<>(
            next.startCall(measured, headers),
            measured,
            context,
            () -> messageReceived(ctx, deadline, single),
            items -> accessControl.chargeItems(ctx, caller, items));
      } finally {
        context.detach(before);
      }
    } catch (RuntimeException e) {
      measured.failed(e);
      return new ServerCall.Listener<>() {};
    }
  }

  private static void messageReceived(
      ServiceRequestContext ctx, CallDeadline deadline, boolean single) {
    deadline.messageReceived();
    if (!single) {
      RequestMemory.messageReceived(ctx);
    }
  }

  /// A few compressed bytes can be a message of any size, and messages here are short.
  private static void refuseCompressed(ServiceRequestContext ctx) {
    String encoding = ctx.request().headers().get(GRPC_ENCODING);
    if (encoding != null && !encoding.equalsIgnoreCase(IDENTITY)) {
      throw Failure.invalid(
          Problems.ENCODING,
          "compressed messages are not accepted",
          "grpc-encoding",
          "must be identity");
    }
  }

  private AccessDecision verdict(ServiceRequestContext ctx, String method) {
    AccessDecision decision = GrpcAccessDecorator.verdict(ctx);
    return decision == null ? rules.decide(accessControl, ctx, method) : decision;
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
    String languages = ctx.request().headers().get(HttpHeaderNames.ACCEPT_LANGUAGE);
    if (languages != null) {
      context = context.withValue(CurrentCaller.ACCEPT_LANGUAGE, languages);
    }
    String key = idempotencyKey(ctx);
    return key == null ? context : context.withValue(CurrentCaller.IDEMPOTENCY_KEY, key);
  }

  /// As for the rate: anonymous callers are counted by their address, services not at all.
  private static @Nullable String accountable(@Nullable Caller caller, ServiceRequestContext ctx) {
    if (caller == null || caller.isAnonymous()) {
      return CallsInFlight.key(ctx);
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
