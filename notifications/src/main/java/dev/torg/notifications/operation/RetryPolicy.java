package dev.torg.notifications.operation;

import dev.torg.platform.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// When a message that was definitely refused is attempted again.
///
/// @param maxAge after this time since the entry was written it is given up
/// @param maxRetryAfter the longest wait that a provider may ask for
public record RetryPolicy(Backoff backoff, Duration maxAge, Duration maxRetryAfter) {
  public static RetryPolicy defaults() {
    return new RetryPolicy(
        new Backoff(Duration.ofSeconds(5), Duration.ofMinutes(15)),
        Duration.ofDays(1),
        Duration.ofHours(6));
  }

  /// Empty if there is no further attempt.
  Optional<Instant> retryAt(
      DeliveryOperation operation, Instant now, Optional<Duration> retryAfter) {
    Instant backedOff = now.plus(backoff.after(operation.attempts() + 1));
    Instant requested = now.plus(bounded(retryAfter.orElse(Duration.ZERO)));
    Instant next = backedOff.isAfter(requested) ? backedOff : requested;
    boolean isTooLate =
        next.isAfter(operation.createdAt().plus(maxAge))
            || operation.expiresAt().filter(expiry -> !next.isBefore(expiry)).isPresent();
    return isTooLate ? Optional.empty() : Optional.of(next);
  }

  private Duration bounded(Duration requested) {
    return requested.compareTo(maxRetryAfter) > 0 ? maxRetryAfter : requested;
  }
}
