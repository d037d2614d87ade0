package dev.torg.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallDeadlineTest {
  @ParameterizedTest
  @CsvSource({
    "2H, PT2H",
    "99999999H, PT99999999H",
    "3M, PT3M",
    "4S, PT4S",
    "500m, PT0.5S",
    "2000u, PT0.002S",
    "3000000n, PT0.003S",
    "1n, PT0.001S",
    "0S, PT0.001S",
  })
  void parse_timeout(String text, Duration expected) {
    assertThat(CallDeadline.parse(text)).hasValue(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "S", "-1S", "123456789S", "5X", "5 S"})
  void parse_noTimeout_isEmpty(String text) {
    assertThat(CallDeadline.parse(text)).isEmpty();
  }
}
