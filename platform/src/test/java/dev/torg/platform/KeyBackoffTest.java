package dev.torg.platform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.platform.KeyBackoff.State;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyBackoffTest {
  private final AtomicLong nanos = new AtomicLong();
  private final KeyBackoff<String> backoff =
      new KeyBackoff<>(Duration.ofMillis(200), Duration.ofSeconds(5), nanos::get);

  @Test
  void state_neverFailed_isClear() {
    assertThat(backoff.state("a")).isEqualTo(State.CLEAR);
  }

  @ParameterizedTest
  @CsvSource({"1, 200", "2, 400", "3, 800", "5, 3200", "6, 5000", "7, 5000", "40, 5000"})
  void failed_severalTimes_pausesTwiceAsLongUpToTheBound(int times, long millis) {
    for (int i = 0; i < times; i++) {
      backoff.failed("a");
    }
    nanos.addAndGet(Duration.ofMillis(millis).toNanos() - 1);
    assertThat(backoff.state("a")).isEqualTo(State.PAUSED);
    nanos.addAndGet(1);
    assertThat(backoff.state("a")).isEqualTo(State.PROBATION);
  }

  @Test
  void failed_oneKey_leavesOthersClear() {
    backoff.failed("a");
    assertThat(backoff.state("b")).isEqualTo(State.CLEAR);
  }

  @Test
  void succeeded_afterFailures_startsOver() {
    backoff.failed("a");
    backoff.failed("a");
    backoff.succeeded("a");
    assertThat(backoff.state("a")).isEqualTo(State.CLEAR);
    backoff.failed("a");
    nanos.addAndGet(Duration.ofMillis(200).toNanos());
    assertThat(backoff.state("a")).isEqualTo(State.PROBATION);
  }

  @Test
  void state_longAfterTheLastFailure_isClear() {
    backoff.failed("a");
    nanos.addAndGet(Duration.ofSeconds(11).toNanos());
    assertThat(backoff.state("a")).isEqualTo(State.CLEAR);
  }
}
