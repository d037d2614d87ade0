package dev.torg.promotions.provider.sandbox;

import dev.torg.promotions.PaymentProviderSettings.SandboxCalls;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// When the webhook is called for an event: once, and again for each repetition.
final class WebhookSchedule {
  /// Shuffled calls are spread over this time at least.
  private static final Duration MIN_SPREAD = Duration.ofSeconds(1);

  private final SandboxCalls calls;

  WebhookSchedule(SandboxCalls calls) {
    this.calls = calls;
  }

  /// One time for each call.
  List<Instant> times(Instant now, RandomGenerator random) {
    return IntStream.rangeClosed(0, calls.repeats())
        .mapToObj(copy -> now.plus(calls.shuffle() ? shuffled(random) : ordered(copy)))
        .toList();
  }

  private Duration ordered(int copy) {
    return calls.delay().multipliedBy(copy + 1L);
  }

  private Duration shuffled(RandomGenerator random) {
    Duration spread = calls.delay().multipliedBy(calls.repeats() + 1L);
    long nanos = (spread.compareTo(MIN_SPREAD) < 0 ? MIN_SPREAD : spread).toNanos();
    return Duration.ofNanos(random.nextLong(nanos));
  }
}
