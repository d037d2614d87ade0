package dev.torg.promotions.provider.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.promotions.PaymentProviderSettings.SandboxCalls;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WebhookScheduleTest {
  private static final Instant NOW = Instant.parse("2026-05-04T10:00:00Z");

  private static List<Instant> times(int repeats, Duration delay, boolean shuffle, long seed) {
    return new WebhookSchedule(new SandboxCalls(repeats, delay, shuffle))
        .times(NOW, new Random(seed));
  }

  @Test
  void times_defaults_isOneCallNow() {
    assertThat(new WebhookSchedule(SandboxCalls.defaults()).times(NOW, new Random(1)))
        .containsExactly(NOW);
  }

  @Test
  void times_repeatsAndDelay_areOneDelayApart() {
    assertThat(times(2, Duration.ofSeconds(10), false, 1))
        .containsExactly(NOW.plusSeconds(10), NOW.plusSeconds(20), NOW.plusSeconds(30));
  }

  /// Two events that were created in one order are due in the other one for some seeds.
  @Test
  void times_shuffled_areInAnyOrderWithinTheSpread() {
    Set<Boolean> orders = new HashSet<>();
    for (long seed = 0; seed < 50; seed++) {
      List<Instant> times = times(1, Duration.ofSeconds(10), true, seed);
      assertThat(times).allSatisfy(time -> assertThat(time).isBetween(NOW, NOW.plusSeconds(20)));
      orders.add(times.getFirst().isBefore(times.getLast()));
    }
    assertThat(orders).containsExactlyInAnyOrder(true, false);
  }

  @Test
  void times_shuffledWithoutDelay_areSpreadOverASecond() {
    assertThat(times(20, Duration.ZERO, true, 7))
        .allSatisfy(time -> assertThat(time).isBetween(NOW, NOW.plusSeconds(1)))
        .doesNotHaveDuplicates();
  }
}
