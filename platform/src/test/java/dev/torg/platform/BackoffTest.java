package dev.torg.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));

  @Test
  void after_eachFailure_doublesUpToTheMaximum() {
    assertThat(backoff.after(1)).isEqualTo(Duration.ofMillis(100));
    assertThat(backoff.after(2)).isEqualTo(Duration.ofMillis(200));
    assertThat(backoff.after(6)).isEqualTo(Duration.ofMillis(3200));
    assertThat(backoff.after(7)).isEqualTo(Duration.ofSeconds(5));
    assertThat(backoff.after(Integer.MAX_VALUE)).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void after_firstLongerThanMaximum_isTheMaximum() {
    assertThat(new Backoff(Duration.ofSeconds(20), Duration.ofSeconds(10)).after(1))
        .isEqualTo(Duration.ofSeconds(10));
  }
}
