package dev.torg.offers.life;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MicrosTest {
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 999_999, 1_000_000, 1_764_000_000_123_456L, -1, -1_000_001})
  void timestampAndInstant_readBackAsWritten(long micros) {
    assertThat(Micros.of(Micros.timestamp(micros))).isEqualTo(micros);
    assertThat(Micros.of(Micros.instant(micros))).isEqualTo(micros);
    assertThat(Micros.timestamp(micros).getNanos()).isBetween(0, 999_999_999);
  }

  @Test
  void of_nanoseconds_areCutOff() {
    assertThat(Micros.of(Instant.ofEpochSecond(1, 1_999))).isEqualTo(1_000_001);
    assertThat(Micros.of(Timestamp.newBuilder().setSeconds(1).setNanos(1_999).build()))
        .isEqualTo(1_000_001);
    assertThat(Micros.of(Duration.ofNanos(1_999))).isEqualTo(1);
  }
}
