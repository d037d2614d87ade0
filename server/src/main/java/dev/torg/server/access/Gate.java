package dev.torg.server.access;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.platform.Caller;
import dev.torg.platform.Caller.Role;
import dev.torg.platform.Failure;
import dev.torg.platform.identity.Subject;
import dev.torg.platform.identity.Tokens;
import dev.torg.server.access.RateLimiter.Decision;
import io.netty.util.AsciiString;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Decides whether a call may proceed, and as whom: the token must be valid even where none is needed, its role must be
/// among the declared callers, and its rate within the limits.
///
/// The rate is said in `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`, on success and on refusal.
public final class Gate {
  static final AsciiString ON_BEHALF_OF = HttpHeaderNames.of("torg-on-behalf-of");
  private static final AsciiString LIMIT = HttpHeaderNames.of("ratelimit-limit");
  private static final AsciiString REMAINING = HttpHeaderNames.of("ratelimit-remaining");
  private static final AsciiString RESET = HttpHeaderNames.of("ratelimit-reset");
  private static final String BEARER = "Bearer ";

  private final Tokens tokens;
  private final RateLimiter perCaller;
  private final RateLimiter newIdentities;
  private final RateLimiter badTokens;
  private volatile boolean stopping;

  public Gate(Tokens tokens, Limits limits, LongSupplier nanos) {
    this.tokens = tokens;
    this.perCaller = new RateLimiter(limits.perCaller(), nanos);
    this.newIdentities = new RateLimiter(limits.newIdentities(), nanos);
    this.badTokens = new RateLimiter(limits.badTokens(), nanos);
  }

  /// The caller, or null when no token was sent and none is needed.
  @Nullable Caller admit(ServiceRequestContext ctx, Callers callers) {
    if (stopping) {
      throw Failure.unavailable("server.stopping", "this server is shutting down", null);
    }
    RequestHeaders headers = ctx.request().headers();
    Caller caller = caller(ctx, headers);
    callers.check(caller);
    limit(ctx, caller);
    String person = headers.get(ON_BEHALF_OF);
    return person == null ? caller : onBehalfOf(caller, person);
  }

  /// From now on nobody is admitted; who is in may finish.
  public void close() {
    stopping = true;
  }

  /// Beyond the caller's rate: how many identities an address may ask for.
  void admitNewIdentity(ServiceRequestContext ctx) {
    apply(ctx, newIdentities.take(address(ctx)));
  }

  private @Nullable Caller caller(ServiceRequestContext ctx, RequestHeaders headers) {
    String header = headers.get(HttpHeaderNames.AUTHORIZATION);
    if (header == null) {
      return null;
    }
    if (!header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      throw Failure.unauthenticated("token.malformed", "Authorization must be Bearer <token>");
    }
    String token = header.substring(BEARER.length());
    return tokens.recall(token).orElseGet(() -> verify(ctx, token));
  }

  /// Checking a signature is dear; whoever sends many bad ones is not heard for a while.
  private Caller verify(ServiceRequestContext ctx, String token) {
    if (!badTokens.hasCallsLeft(address(ctx))) {
      throw Failure.exhausted("rate.bad-tokens", "too many invalid tokens from this address");
    }
    try {
      return tokens.verify(token);
    } catch (Failure e) {
      badTokens.take(address(ctx));
      throw e;
    }
  }

  private static Caller onBehalfOf(@Nullable Caller caller, String person) {
    if (caller == null || !caller.has(Role.SERVICE)) {
      throw Failure.forbidden("role.missing", "only a service acts on behalf of a person");
    }
    return new Caller(Subject.parse(person, "Torg-On-Behalf-Of"), caller.roles());
  }

  private void limit(ServiceRequestContext ctx, @Nullable Caller caller) {
    if (caller == null) {
      apply(ctx, perCaller.take(address(ctx)));
    } else if (!caller.has(Role.SERVICE)) {
      if (caller.isAnonymous()) {
        apply(ctx, perCaller.take(address(ctx)));
      }
      apply(ctx, perCaller.take(caller.subject()));
    }
  }

  private static String address(ServiceRequestContext ctx) {
    return ctx.clientAddress().getHostAddress();
  }

  private static void apply(ServiceRequestContext ctx, Decision decision) {
    ctx.mutateAdditionalResponseHeaders(
        headers -> {
          headers.setInt(LIMIT, decision.limit());
          headers.setInt(REMAINING, decision.remaining());
          headers.setInt(RESET, decision.reset());
          if (!decision.allowed()) {
            headers.setInt(HttpHeaderNames.RETRY_AFTER, decision.reset());
          }
        });
    if (!decision.allowed()) {
      throw Failure.exhausted(
          "rate.exceeded", "more than " + decision.limit() + " calls; wait a little");
    }
  }
}
