package dev.torg.favorites.merge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoginMergeBackoffTest {
  @ParameterizedTest
  @CsvSource({"1,1", "2,2", "3,4", "4,8", "5,16", "6,32", "7,60", "8,60", "1000000,60"})
  void after_attempt_doublesUpToAnHour(int attempt, int minutes) {
    assertThat(LoginMergeBackoff.after(attempt)).isEqualTo(Duration.ofMinutes(minutes));
  }
}
