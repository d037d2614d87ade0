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
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Decides from the headers whether a call may proceed, and as whom: the token must be valid even where none is needed,
/// its rate within the limits, and its role among the declared callers.
///
/// The rate comes before the role, so that a call counts also when it is refused: by the subject of a known caller, by
/// the address where there is no token or a bad one.
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
  private final CallsInProgress inProgress = new CallsInProgress();

  public Gate(Tokens tokens, Limits limits, LongSupplier nanos) {
    this.tokens = tokens;
    this.perCaller = new RateLimiter(limits.perCaller(), nanos);
    this.newIdentities = new RateLimiter(limits.newIdentities(), nanos);
    this.badTokens = new RateLimiter(limits.badTokens(), nanos);
  }

  /// The caller, or null when no token was sent and none is needed.
  @Nullable Caller admit(ServiceRequestContext ctx, Callers callers) {
    if (!inProgress.begin(ctx)) {
      throw stopping(ctx);
    }
    return decide(ctx, callers);
  }

  /// The same for a stream that ends when its reader leaves.
  @Nullable Caller admitEndless(ServiceRequestContext ctx, Callers callers) {
    if (!inProgress.beginEndless(ctx)) {
      throw stopping(ctx);
    }
    return decide(ctx, callers);
  }

  /// Lets a stream in that watches this process, at any time and any rate.
  void watch(ServiceRequestContext ctx) {
    inProgress.beginEndless(ctx);
  }

  /// From now on nobody is admitted; who is in may finish, within the given time.
  public void close(Duration patience) {
    inProgress.stop(patience);
  }

  private @Nullable Caller decide(ServiceRequestContext ctx, Callers callers) {
    RequestHeaders headers = ctx.request().headers();
    Caller caller = caller(ctx, headers);
    limit(ctx, caller);
    callers.check(caller);
    String person = headers.get(ON_BEHALF_OF);
    return person == null ? caller : onBehalfOf(caller, person);
  }

  /// Counts a call to an address or by a method that nobody serves: guessing is calling too.
  public void countStray(ServiceRequestContext ctx) {
    limit(ctx, caller(ctx, ctx.request().headers()));
  }

  /// Has the client look for another server: the connection ends with its last answer.
  private static Failure stopping(ServiceRequestContext ctx) {
    ctx.initiateConnectionShutdown();
    return Failure.unavailable("server.stopping", "this server is shutting down", null);
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
      countBadToken(ctx);
      throw Failure.unauthenticated("token.malformed", "Authorization must be Bearer <token>");
    }
    String token = header.substring(BEARER.length());
    return tokens.recall(token).orElseGet(() -> verify(ctx, token));
  }

  /// Checking a signature is dear; whoever sends many bad ones is not heard for a while.
  private Caller verify(ServiceRequestContext ctx, String token) {
    Decision left = badTokens.look(address(ctx));
    if (!left.allowed()) {
      throw tooManyBadTokens(ctx, left);
    }
    try {
      return tokens.verify(token);
    } catch (Failure e) {
      countBadToken(ctx);
      throw e;
    }
  }

  private void countBadToken(ServiceRequestContext ctx) {
    Decision decision = badTokens.take(address(ctx));
    if (!decision.allowed()) {
      throw tooManyBadTokens(ctx, decision);
    }
    say(ctx, decision);
  }

  private static Failure tooManyBadTokens(ServiceRequestContext ctx, Decision decision) {
    say(ctx, decision);
    return Failure.exhausted("rate.bad-tokens", "too many invalid tokens from this address");
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
    say(ctx, decision);
    if (!decision.allowed()) {
      throw Failure.exhausted(
          "rate.exceeded", "more than %s; wait %d s".formatted(decision.limit(), decision.reset()));
    }
  }

  private static void say(ServiceRequestContext ctx, Decision decision) {
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
