package dev.torg.server.access;

import java.time.Duration;

/// How often callers may call. Role service is not limited.
///
/// - `perCaller`: a subject, or an address where no token is sent; anonymous identities count for both.
/// - `newIdentities`: `POST /v1/anonymous` from one address.
/// - `badTokens`: invalid tokens from one address; beyond it tokens from there are no longer verified.
public record RateLimits(RateLimit perCaller, RateLimit newIdentities, RateLimit badTokens) {
  public static RateLimits defaults() {
    return new RateLimits(
        new RateLimit(500, Duration.ofSeconds(1)),
        new RateLimit(60, Duration.ofMinutes(1)),
        new RateLimit(100, Duration.ofSeconds(10)));
  }
}
