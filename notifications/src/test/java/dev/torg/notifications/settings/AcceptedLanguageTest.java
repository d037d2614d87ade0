package dev.torg.notifications.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcceptedLanguageTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "''                        | en",
        "ru                        | ru",
        "ru-RU,ru;q=0.9,en;q=0.8   | ru",
        "de,ru;q=0.5,en;q=0.4      | ru",
        "de-DE,en-US;q=0.7         | en",
        "en;q=0.1,RU;q=0.2         | ru",
        "ja                        | en",
        "*                         | en",
        "ru;q=lamp                 | en",
        ";;;                       | en"
      })
  void of_isTheFirstSupportedLanguage(String header, String expected) {
    assertThat(AcceptedLanguage.of(header)).isEqualTo(expected);
  }
}
