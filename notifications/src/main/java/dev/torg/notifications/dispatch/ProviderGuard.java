package dev.torg.notifications.dispatch;

import dev.torg.notifications.channel.ChannelSender;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryOutcome.Refused;
import dev.torg.notifications.channel.DeliveryOutcome.Unknown;
import dev.torg.notifications.channel.OutgoingMessage;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Calls a provider: not faster than its rate limit, not while its circuit breaker is open, and not longer than the
/// timeout. What the guard itself does not let pass counts as refused.
final class ProviderGuard {
  private static final Logger LOG = LoggerFactory.getLogger(ProviderGuard.class);

  /// Of the last calls, half of which must fail to open the breaker.
  private static final int BREAKER_WINDOW_CALLS = 50;

  private static final int MIN_BREAKER_CALLS = 10;

  /// Calls that decide whether the provider has recovered.
  static final int TRIAL_CALLS = 5;

  /// How long a message waits for the rate limit.
  private static final Duration MAX_RATE_WAIT = Duration.ofSeconds(10);

  private final CircuitBreaker breaker;
  private final RateLimiter limiter;
  private final Duration timeout;
  private final ExecutorService threads;
  private final Timer latency;

  /// @param onStateChange called when the breaker opens or closes
  ProviderGuard(
      String name,
      int ratePerSecond,
      DeliverySettings settings,
      ExecutorService threads,
      Timer latency,
      Runnable onStateChange) {
    this.timeout = settings.sendTimeout();
    this.threads = threads;
    this.latency = latency;
    this.breaker =
        CircuitBreaker.of(
            name,
            CircuitBreakerConfig.custom()
                .slidingWindowSize(BREAKER_WINDOW_CALLS)
                .minimumNumberOfCalls(MIN_BREAKER_CALLS)
                .waitDurationInOpenState(settings.breakerWait())
                .permittedNumberOfCallsInHalfOpenState(TRIAL_CALLS)
                .automaticTransitionFromOpenToHalfOpenEnabled(true)
                .recordResult(ProviderGuard::isFailure)
                .build());
    this.limiter =
        RateLimiter.of(
            name,
            RateLimiterConfig.custom()
                .limitForPeriod(Math.max(1, ratePerSecond / PERIODS_PER_SECOND))
                .limitRefreshPeriod(refreshPeriod(ratePerSecond))
                .timeoutDuration(MAX_RATE_WAIT)
                .build());
    breaker
        .getEventPublisher()
        .onStateTransition(
            event -> {
              LOG.warn("provider {}: {}", name, event.getStateTransition());
              onStateChange.run();
            });
  }

  /// Permits are renewed so often, so that a second's messages do not leave at once.
  private static final int PERIODS_PER_SECOND = 10;

  private static Duration refreshPeriod(int ratePerSecond) {
    return Duration.ofMillis(1_000L / Math.clamp(ratePerSecond, 1, PERIODS_PER_SECOND));
  }

  /// A provider that refuses or does not respond; a rejected message is a fault of the message.
  private static boolean isFailure(Object result) {
    return result instanceof Refused || result instanceof Unknown;
  }

  CircuitBreaker.State state() {
    return breaker.getState();
  }

  /// How many messages may be in flight.
  int allowed() {
    return switch (breaker.getState()) {
      case OPEN, FORCED_OPEN -> 0;
      case HALF_OPEN -> TRIAL_CALLS;
      case CLOSED, DISABLED, METRICS_ONLY -> Integer.MAX_VALUE;
    };
  }

  DeliveryOutcome send(ChannelSender sender, OutgoingMessage message) {
    if (!limiter.acquirePermission()) {
      return DeliveryOutcome.refused("rate-limit");
    }
    if (!breaker.tryAcquirePermission()) {
      return DeliveryOutcome.refused("breaker-open");
    }
    long start = System.nanoTime();
    DeliveryOutcome outcome = sendBounded(sender, message);
    long elapsed = System.nanoTime() - start;
    latency.record(elapsed, TimeUnit.NANOSECONDS);
    breaker.onResult(elapsed, TimeUnit.NANOSECONDS, outcome);
    return outcome;
  }

  private DeliveryOutcome sendBounded(ChannelSender sender, OutgoingMessage message) {
    Future<DeliveryOutcome> sending = threads.submit(() -> sender.send(message));
    try {
      return sending.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      sending.cancel(true);
      return DeliveryOutcome.unknown("timeout");
    } catch (ExecutionException e) {
      LOG.error("a sender of {} failed", sender.channel(), e.getCause());
      return DeliveryOutcome.unknown("error");
    } catch (InterruptedException e) {
      sending.cancel(true);
      Thread.currentThread().interrupt();
      return DeliveryOutcome.unknown("interrupted");
    }
  }
}
