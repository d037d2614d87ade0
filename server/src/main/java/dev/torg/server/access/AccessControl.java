package dev.torg.server.access;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.platform.Caller;
import dev.torg.platform.Caller.Role;
import dev.torg.platform.Failure;
import dev.torg.platform.identity.Subject;
import dev.torg.platform.identity.TokenService;
import dev.torg.server.access.RateLimiter.Decision;
import dev.torg.server.quota.CallsInFlight;
import dev.torg.server.quota.Refusals;
import dev.torg.server.quota.Refusals.Kind;
import io.netty.util.AsciiString;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Decides from the headers whether a call may proceed, and as which caller: the token must be valid even where
/// none is required, the rate within the limits, and the role among the declared callers.
///
/// The rate is checked before the role, so that a refused call counts too: by the subject of an authenticated
/// caller, by the address where there is no token or an invalid one. A batch costs more than one call: see
/// [BatchCost].
///
/// The state of the limit is returned in `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`, on
/// success and on refusal.
public final class AccessControl {
  static final AsciiString ON_BEHALF_OF = HttpHeaderNames.of("torg-on-behalf-of");
  private static final AsciiString LIMIT = HttpHeaderNames.of("ratelimit-limit");
  private static final AsciiString REMAINING = HttpHeaderNames.of("ratelimit-remaining");
  private static final AsciiString RESET = HttpHeaderNames.of("ratelimit-reset");
  private static final String BEARER = "Bearer ";

  private final TokenService tokens;
  private final RateLimiter perCaller;
  private final RateLimiter newIdentities;
  private final RateLimiter badTokens;
  private final int itemsPerCall;

  /// A batch and its admission cost at most the whole bucket: with a low rate it waits for a full one, not for ever.
  private final int maxBatchCalls;

  private final CallsInFlight inFlight;
  private final Refusals refusals;
  private final InFlightCalls inProgress = new InFlightCalls();

  public AccessControl(
      TokenService tokens,
      RateLimits limits,
      int itemsPerCall,
      CallsInFlight inFlight,
      Refusals refusals,
      LongSupplier nanos) {
    this.tokens = tokens;
    this.itemsPerCall = itemsPerCall;
    this.maxBatchCalls = Math.max(0, limits.perCaller().calls() - 1);
    this.inFlight = inFlight;
    this.refusals = refusals;
    this.perCaller = new RateLimiter(limits.perCaller(), nanos);
    this.newIdentities = new RateLimiter(limits.newIdentities(), nanos);
    this.badTokens = new RateLimiter(limits.badTokens(), nanos);
  }

  /// The caller, or null when no token was sent and none is needed.
  @Nullable Caller authorize(ServiceRequestContext ctx, CallerPolicy callerPolicy) {
    if (!inProgress.begin(ctx)) {
      throw stopping(ctx);
    }
    return decide(ctx, callerPolicy);
  }

  /// The same for a stream that ends when its client disconnects.
  @Nullable Caller authorizeStream(ServiceRequestContext ctx, CallerPolicy callerPolicy) {
    if (!inProgress.beginEndless(ctx)) {
      throw stopping(ctx);
    }
    Caller caller = decide(ctx, callerPolicy);
    inFlight.acquireStream(ctx);
    return caller;
  }

  /// Admits a stream that monitors this process, at any time and any rate, but in a limited number.
  void trackProbe(ServiceRequestContext ctx) {
    inProgress.beginEndless(ctx);
    inFlight.acquireStream(ctx);
  }

  /// For a stream that may be idle for a long time.
  void allowIdle(ServiceRequestContext ctx) {
    inFlight.allowIdle(ctx);
  }

  /// Another piece of a streamed response is about to be written.
  void progress(ServiceRequestContext ctx) {
    inFlight.progress(ctx);
  }

  /// Counts memory of a response, until the response is written.
  public void acquireResponseBytes(ServiceRequestContext ctx, long amount) {
    inFlight.acquireResponseBytes(ctx, amount);
  }

  /// Measures that a response was larger than allowed.
  void countTooLarge() {
    refusals.count(Kind.RESPONSE_TOO_LARGE);
  }

  /// Admits no further call; admitted calls may finish, within the given time.
  public void close(Duration timeout) {
    inProgress.stop(timeout);
  }

  private @Nullable Caller decide(ServiceRequestContext ctx, CallerPolicy callerPolicy) {
    RequestHeaders headers = ctx.request().headers();
    Caller caller = caller(ctx, headers);
    limit(ctx, caller, 1);
    callerPolicy.check(caller);
    inFlight.requireCapacity(ctx, caller != null && caller.has(Role.SERVICE));
    String user = headers.get(ON_BEHALF_OF);
    return user == null ? caller : onBehalfOf(caller, user);
  }

  /// Counts a call without a route or a matching method: guessing addresses consumes the rate too.
  public void countUnrouted(ServiceRequestContext ctx) {
    limit(ctx, caller(ctx, ctx.request().headers()), 1);
  }

  /// Makes the client connect to another server: the connection closes after its last response.
  private static Failure stopping(ServiceRequestContext ctx) {
    ctx.initiateConnectionShutdown();
    return Failure.unavailable("server.stopping", "this server is shutting down", null);
  }

  /// In addition to the caller's rate: how many identities an address may create.
  void admitNewIdentity(ServiceRequestContext ctx) {
    apply(ctx, newIdentities.tryAcquire(address(ctx)));
  }

  private @Nullable Caller caller(ServiceRequestContext ctx, RequestHeaders headers) {
    String header = headers.get(HttpHeaderNames.AUTHORIZATION);
    if (header == null) {
      return null;
    }
    if (!header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      countBadToken(ctx);
      throw Failure.unauthenticated("token.malformed", "Authorization must be Bearer <token>");
    }
    String token = header.substring(BEARER.length());
    return tokens.recall(token).orElseGet(() -> verify(ctx, token));
  }

  /// Verifying a signature is expensive; an address that sends many invalid tokens is refused for a while
  /// without verification.
  private Caller verify(ServiceRequestContext ctx, String token) {
    Decision decision = badTokens.peek(address(ctx));
    if (!decision.allowed()) {
      throw tooManyBadTokens(ctx, decision);
    }
    try {
      return tokens.verify(token);
    } catch (Failure e) {
      countBadToken(ctx);
      throw e;
    }
  }

  private void countBadToken(ServiceRequestContext ctx) {
    Decision decision = badTokens.tryAcquire(address(ctx));
    if (!decision.allowed()) {
      throw tooManyBadTokens(ctx, decision);
    }
    addRateLimitHeaders(ctx, decision);
  }

  private Failure tooManyBadTokens(ServiceRequestContext ctx, Decision decision) {
    refusals.count(Kind.BAD_TOKENS);
    addRateLimitHeaders(ctx, decision);
    return Failure.exhausted("rate.bad-tokens", "too many invalid tokens from this address");
  }

  private static Caller onBehalfOf(@Nullable Caller caller, String user) {
    if (caller == null || !caller.has(Role.SERVICE)) {
      throw Failure.forbidden("role.missing", "only a service acts on behalf of a person");
    }
    return new Caller(Subject.parse(user, "Torg-On-Behalf-Of"), caller.roles());
  }

  /// Charges a batch for its items, beyond the one call that it was admitted as.
  void chargeItems(ServiceRequestContext ctx, @Nullable Caller caller, int items) {
    int calls = items / itemsPerCall;
    if (calls > 0) {
      limit(ctx, caller, Math.min(calls, maxBatchCalls));
    }
  }

  private void limit(ServiceRequestContext ctx, @Nullable Caller caller, int calls) {
    if (caller == null) {
      apply(ctx, perCaller.tryAcquire(address(ctx), calls));
    } else if (!caller.has(Role.SERVICE)) {
      if (caller.isAnonymous()) {
        apply(ctx, perCaller.tryAcquire(address(ctx), calls));
      }
      apply(ctx, perCaller.tryAcquire(caller.subject(), calls));
    }
  }

  private static String address(ServiceRequestContext ctx) {
    return CallsInFlight.key(ctx);
  }

  private void apply(ServiceRequestContext ctx, Decision decision) {
    addRateLimitHeaders(ctx, decision);
    if (!decision.allowed()) {
      refusals.count(Kind.RATE);
      throw Failure.exhausted(
          "rate.exceeded", "more than %s; wait %d s".formatted(decision.limit(), decision.reset()));
    }
  }

  private static void addRateLimitHeaders(ServiceRequestContext ctx, Decision decision) {
    ctx.mutateAdditionalResponseHeaders(
        headers -> {
          headers.setInt(LIMIT, decision.limit().calls());
          headers.setInt(REMAINING, decision.remaining());
          headers.setInt(RESET, decision.reset());
          if (!decision.allowed()) {
            headers.setInt(HttpHeaderNames.RETRY_AFTER, decision.reset());
          }
        });
  }
}
