package dev.torg.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.server.access.RateLimiter.Decision;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RateLimiterTest {
  static final RateLimit LIMIT = new RateLimit(5, Duration.ofSeconds(1));
  final AtomicLong nanos = new AtomicLong(-5_000_000_000L);
  final RateLimiter limiter = new RateLimiter(LIMIT, nanos::get);

  void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void tryAcquire_upToTheLimitAtOnce_isAllowedThenRefused() {
    for (int remaining = 4; remaining >= 0; remaining--) {
      assertThat(limiter.tryAcquire("a")).isEqualTo(new Decision(true, LIMIT, remaining, 1));
    }
    assertThat(limiter.tryAcquire("a")).isEqualTo(new Decision(false, LIMIT, 0, 1));
  }

  @Test
  void tryAcquire_afterOneInterval_allowsExactlyOneMore() {
    for (int i = 0; i < 5; i++) {
      limiter.tryAcquire("a");
    }
    pass(Duration.ofMillis(200));
    assertThat(limiter.tryAcquire("a").allowed()).isTrue();
    assertThat(limiter.tryAcquire("a").allowed()).isFalse();
  }

  @Test
  void tryAcquire_refusals_doNotExtendTheWait() {
    for (int i = 0; i < 1_000; i++) {
      limiter.tryAcquire("a");
    }
    pass(Duration.ofSeconds(1));
    assertThat(limiter.tryAcquire("a").remaining()).isEqualTo(4);
  }

  @Test
  void tryAcquire_otherKey_hasItsOwnBucket() {
    for (int i = 0; i < 6; i++) {
      limiter.tryAcquire("a");
    }
    assertThat(limiter.tryAcquire("b").remaining()).isEqualTo(4);
  }

  @Test
  void tryAcquire_longIdle_neverAccumulatesMoreThanTheLimit() {
    limiter.tryAcquire("a");
    pass(Duration.ofDays(3));
    int allowed = 0;
    while (limiter.tryAcquire("a").allowed()) {
      allowed++;
    }
    assertThat(allowed).isEqualTo(5);
  }

  @Test
  void peek_spendsNothing() {
    for (int i = 0; i < 4; i++) {
      limiter.tryAcquire("a");
    }
    assertThat(limiter.peek("a")).isEqualTo(new Decision(true, LIMIT, 1, 1));
    assertThat(limiter.peek("a").allowed()).isTrue();
    limiter.tryAcquire("a");
    assertThat(limiter.peek("a")).isEqualTo(limiter.tryAcquire("a"));
    assertThat(limiter.peek("a")).isEqualTo(new Decision(false, LIMIT, 0, 1));
    assertThat(limiter.peek("unseen")).isEqualTo(new Decision(true, LIMIT, 5, 0));
  }

  @Test
  void tryAcquire_severalCalls_isAllOrNone() {
    assertThat(limiter.tryAcquire("a", 3)).isEqualTo(new Decision(true, LIMIT, 2, 1));
    assertThat(limiter.tryAcquire("a", 3)).isEqualTo(new Decision(false, LIMIT, 0, 1));
    assertThat(limiter.tryAcquire("a", 2)).isEqualTo(new Decision(true, LIMIT, 0, 1));
  }

  /// Otherwise a large batch could never be sent.
  @Test
  void tryAcquire_moreThanTheWholeBucket_isTheWholeBucket() {
    assertThat(limiter.tryAcquire("a", Integer.MAX_VALUE))
        .isEqualTo(new Decision(true, LIMIT, 0, 1));
    pass(Duration.ofMillis(999));
    assertThat(limiter.tryAcquire("a", 6).allowed()).isFalse();
    pass(Duration.ofMillis(1));
    assertThat(limiter.tryAcquire("a", 6).allowed()).isTrue();
    RateLimiter hourly = new RateLimiter(new RateLimit(1, Duration.ofHours(1)), nanos::get);
    assertThat(hourly.tryAcquire("a", Integer.MAX_VALUE).allowed()).isTrue();
    assertThat(hourly.tryAcquire("a", Integer.MAX_VALUE).allowed()).isFalse();
  }

  @Test
  void tryAcquire_fractionalInterval_neverAllowsMoreThanTheLimit() {
    RateLimit seven = new RateLimit(7, Duration.ofMillis(10));
    RateLimiter uneven = new RateLimiter(seven, nanos::get);
    int allowed = 0;
    while (uneven.tryAcquire("a").allowed()) {
      allowed++;
    }
    assertThat(allowed).isEqualTo(7);
  }

  @Test
  void tryAcquire_manyThreads_allowExactlyTheLimit() {
    RateLimiter wide = new RateLimiter(new RateLimit(1_000, Duration.ofSeconds(1)), nanos::get);
    AtomicInteger allowed = new AtomicInteger();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int t = 0; t < 8; t++) {
        threads.submit(
            () -> {
              for (int i = 0; i < 500; i++) {
                if (wide.tryAcquire("a").allowed()) {
                  allowed.incrementAndGet();
                }
              }
            });
      }
    }
    assertThat(allowed).hasValue(1_000);
  }
}
