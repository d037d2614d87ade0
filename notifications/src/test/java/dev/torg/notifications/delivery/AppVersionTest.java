package dev.torg.notifications.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AppVersionTest {
  @ParameterizedTest
  @CsvSource({
    "2.0, 2.0, true",
    "2, 2.0.0, true",
    "2.10, 2.9, true",
    "2.9, 2.10, false",
    "3.0-beta, 2.9, true",
    "2.0+17, 2.0, true",
    "1.9.9, 2, false",
    "'', 1.0, false",
    "unknown, 1.0, false",
    "1..2, 1.0, false",
    "99999999999999999999, 1.0, false",
    "1.0, nonsense, false"
  })
  void isAtLeast_numbersDecide_unknownDoesNotSuffice(String version, String min, boolean expected) {
    assertThat(AppVersion.isAtLeast(version, min)).isEqualTo(expected);
  }
}
