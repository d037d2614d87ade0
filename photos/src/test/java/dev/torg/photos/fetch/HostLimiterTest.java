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
    Duration first = waitTime(Duration.ZERO);
    Duration second = waitTime(LONG_WAIT);
    assertThat(first).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(11));
    assertThat(second).isGreaterThan(first);
  }

  @Test
  void enter_slotsAssigned_usesFreePermitWithoutWaiting() throws Exception {
    host.enter(Duration.ZERO);
    host.enter(Duration.ZERO);
    waitTime(Duration.ZERO);
    host.release(System.nanoTime());
    host.enter(LONG_WAIT);
    long start = System.nanoTime();
    waitTime(LONG_WAIT);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
  }

  private Duration waitTime(Duration timeout) {
    Duration[] waitTime = {Duration.ZERO};
    assertThatThrownBy(() -> host.enter(timeout))
        .isInstanceOfSatisfying(HostBusyException.class, busy -> waitTime[0] = busy.after());
    return waitTime[0];
  }
}
