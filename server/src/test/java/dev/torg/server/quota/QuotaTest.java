package dev.torg.server.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.server.quota.Quota.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QuotaTest {
  private final Quota quota = new Quota(new Bound(10, 4));

  @Test
  void tryAcquire_beyondItsKey_isRefusedAndAcquiresNothing() {
    assertThat(quota.tryAcquire("a", 3)).isEqualTo(Outcome.ACQUIRED);
    assertThat(quota.tryAcquire("a", 2)).isEqualTo(Outcome.KEY_FULL);
    assertThat(quota.tryAcquire("a", 1)).isEqualTo(Outcome.ACQUIRED);
    assertThat(quota.used()).isEqualTo(4);
  }

  @Test
  void tryAcquire_beyondTheTotal_isRefusedAndAcquiresNothing() {
    quota.tryAcquire("a", 4);
    quota.tryAcquire("b", 4);
    assertThat(quota.tryAcquire("c", 3)).isEqualTo(Outcome.TOTAL_FULL);
    assertThat(quota.used("c")).isZero();
    assertThat(quota.tryAcquire("c", 2)).isEqualTo(Outcome.ACQUIRED);
  }

  @Test
  void tryAcquire_withoutKey_countsInTotalOnly() {
    assertThat(quota.tryAcquire(null, 9)).isEqualTo(Outcome.ACQUIRED);
    assertThat(quota.tryAcquire("a", 2)).isEqualTo(Outcome.TOTAL_FULL);
    quota.release(null, 9);
    assertThat(quota.used()).isZero();
  }

  @Test
  void release_ofEverything_leavesNothing() {
    Quota wide = new Quota(new Bound(1_000_000, 1_000_000));
    IntStream.range(0, 4)
        .mapToObj(thread -> CompletableFuture.runAsync(() -> acquireAndRelease(wide, thread)))
        .toList()
        .forEach(CompletableFuture::join);
    assertThat(wide.used()).isZero();
    assertThat(wide.used("0")).isZero();
  }

  private static void acquireAndRelease(Quota quota, int thread) {
    for (int i = 0; i < 10_000; i++) {
      String key = Integer.toString((i + thread) % 2);
      quota.tryAcquire(key, 3);
      quota.release(key, 3);
    }
  }
}
