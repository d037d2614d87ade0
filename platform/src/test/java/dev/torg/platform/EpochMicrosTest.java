package dev.torg.platform;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EpochMicrosTest {
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 999_999, 1_000_000, 1_764_000_000_123_456L, -1, -1_000_001})
  void timestampAndInstant_readBackAsWritten(long micros) {
    assertThat(EpochMicros.of(EpochMicros.timestamp(micros))).isEqualTo(micros);
    assertThat(EpochMicros.of(EpochMicros.instant(micros))).isEqualTo(micros);
    assertThat(EpochMicros.timestamp(micros).getNanos()).isBetween(0, 999_999_999);
  }

  @Test
  void of_nanoseconds_areCutOff() {
    assertThat(EpochMicros.of(Instant.ofEpochSecond(1, 1_999))).isEqualTo(1_000_001);
    assertThat(EpochMicros.of(Timestamp.newBuilder().setSeconds(1).setNanos(1_999).build()))
        .isEqualTo(1_000_001);
    assertThat(EpochMicros.of(Duration.ofNanos(1_999))).isEqualTo(1);
  }
}
