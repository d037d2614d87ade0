package dev.torg.platform.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class EventSequenceTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00.000123456Z");
  private final EventSequence seq = new EventSequence(InstantSource.fixed(NOW));

  @Test
  void first_isTheClockInMicroseconds() {
    assertThat(seq.first()).isEqualTo(NOW.getEpochSecond() * 1_000_000 + 123);
  }

  @Test
  void after_clockUnchangedOrWentBack_risesAnyway() {
    assertThat(seq.after(seq.first())).isEqualTo(seq.first() + 1);
    assertThat(seq.after(seq.first() + 5_000_000)).isEqualTo(seq.first() + 5_000_001);
  }

  @Test
  void after_clockAdvanced_isTheClock() {
    assertThat(seq.after(seq.first() - 10)).isEqualTo(seq.first());
  }
}
