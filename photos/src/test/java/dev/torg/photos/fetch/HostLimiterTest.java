package dev.torg.photos.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HostLimiterTest {
  private static final Duration LONG_WAIT = Duration.ofMinutes(1);

  private final HostLimiter host = new HostLimiter(2);

  @Test
  void enter_allPermitsHeld_assignsOneSlotEach() throws Exception {
    host.enter(Duration.ZERO);
    host.enter(Duration.ZERO);
    Duration first = turn(Duration.ZERO);
    Duration second = turn(LONG_WAIT);
    assertThat(first).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(11));
    assertThat(second).isGreaterThan(first);
  }

  @Test
  void enter_slotsAssigned_usesFreePermitWithoutWaiting() throws Exception {
    host.enter(Duration.ZERO);
    host.enter(Duration.ZERO);
    turn(Duration.ZERO);
    host.release(System.nanoTime());
    host.enter(LONG_WAIT);
    long start = System.nanoTime();
    turn(LONG_WAIT);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
  }

  private Duration turn(Duration patience) {
    Duration[] turn = {Duration.ZERO};
    assertThatThrownBy(() -> host.enter(patience))
        .isInstanceOfSatisfying(HostBusyException.class, busy -> turn[0] = busy.after());
    return turn[0];
  }
}
