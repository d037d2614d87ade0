package dev.torg.photos.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HostLimiterTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final HostLimiter host = new HostLimiter(2);

  @Test
  void enter_whileAllPlacesAreTaken_isSentAwayWithATurnEach() throws Exception {
    host.enter(Duration.ZERO);
    host.enter(Duration.ZERO);
    Duration first = turn(Duration.ZERO);
    Duration second = turn(LONG);
    assertThat(first).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(11));
    assertThat(second).isGreaterThan(first);
  }

  @Test
  void enter_whileOthersHaveTurns_takesAFreePlaceButDoesNotWait() throws Exception {
    host.enter(Duration.ZERO);
    host.enter(Duration.ZERO);
    turn(Duration.ZERO);
    host.release(System.nanoTime());
    host.enter(LONG);
    long start = System.nanoTime();
    turn(LONG);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
  }

  private Duration turn(Duration patience) {
    Duration[] turn = {Duration.ZERO};
    assertThatThrownBy(() -> host.enter(patience))
        .isInstanceOfSatisfying(HostBusyException.class, busy -> turn[0] = busy.after());
    return turn[0];
  }
}
