package dev.torg.notifications.content;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextRuleTest {
  private static final TextRule LINE = new TextRule(10, false);
  private static final TextRule LINES = new TextRule(10, true);

  @ParameterizedTest
  @ValueSource(strings = {"", "Sold", "Привет 👋", "<b>{{x}}", "a\u200Fb"})
  void problem_ordinaryText_isNone(String text) {
    assertThat(LINE.problem(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a\u0007b", "a\u0000", "a\u202Eb", "a\u2066b", "\u2028", "\uD800", "12345678901"})
  void problem_controlsOverridesAndLongText_areReported(String text) {
    assertThat(LINES.problem(text)).isPresent();
  }

  @Test
  void problem_lineBreak_isAllowedInMultilineTextOnly() {
    assertThat(LINES.problem("a\r\nb\tc")).isEmpty();
    assertThat(LINE.problem("a\nb")).isPresent();
  }

  @Test
  void problem_length_isCountedInCharactersAndNotInUnits() {
    assertThat(LINE.problem("👋".repeat(10))).isEmpty();
    assertThat(LINE.problem("👋".repeat(11))).isPresent();
  }
}
