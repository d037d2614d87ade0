package dev.torg.platform.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MessageAuthenticatorTest {
  private static final String PURPOSE = "test";
  private static final Duration TOKEN_LIFETIME = Duration.ofDays(180);

  @TempDir Path directory;
  Instant now = Instant.parse("2026-03-01T10:00:00Z");

  @Test
  void isValid_ownCode_isTrueInEveryProcess() {
    String code = open().code(PURPOSE, "text");
    assertThat(code).matches("[0-9a-f]{8}\\.[A-Za-z0-9_-]{22}");
    assertThat(open().isValid(PURPOSE, "text", code)).isTrue();
  }

  @Test
  void isValid_anotherTextPurposeOrCode_isFalse() {
    String code = open().code(PURPOSE, "text");
    assertThat(open().isValid(PURPOSE, "text2", code)).isFalse();
    assertThat(open().isValid("other", "text", code)).isFalse();
    assertThat(open().isValid(PURPOSE, "text", altered(code))).isFalse();
    assertThat(open().isValid(PURPOSE, "text", code.substring(0, code.length() - 1))).isFalse();
    assertThat(open().isValid(PURPOSE, "text", code + "A")).isFalse();
    assertThat(open().isValid(PURPOSE, "text", "00000000" + code.substring(8))).isFalse();
    assertThat(open().isValid(PURPOSE, "text", "")).isFalse();
    assertThat(open().isValid(PURPOSE, "text", code.substring(8))).isFalse();
  }

  /// The purpose must not run into the text.
  @Test
  void isValid_sameConcatenation_isFalse() {
    String code = open().code("links", "extra text");
    assertThat(open().isValid("linksextra", " text", code)).isFalse();
  }

  @Test
  void isValid_keyOfAnotherInstallation_isFalse() {
    String code = open().code(PURPOSE, "text");
    Path other = directory.resolve("other").resolve("keys.json");
    assertThat(
            new MessageAuthenticator(SigningKeys.open(other, () -> now))
                .isValid(PURPOSE, "text", code))
        .isFalse();
  }

  @Test
  void isValid_rotatedRepeatedly_isTrueForAYearAfterTheKeyWasReplaced() {
    MessageAuthenticator running = open();
    String code = running.code(PURPOSE, "text");
    for (int month = 0; month < 13; month++) {
      keys().rotate(() -> now, TOKEN_LIFETIME);
      now = now.plus(Duration.ofDays(30));
      assertThat(open().isValid(PURPOSE, "text", code)).as("month %d", month).isTrue();
      assertThat(running.isValid(PURPOSE, "text", code)).as("month %d", month).isTrue();
    }
    assertThat(open().isValid(PURPOSE, "text", open().code(PURPOSE, "text"))).isTrue();
    now = now.plus(Duration.ofDays(30));
    keys().rotate(() -> now, TOKEN_LIFETIME);
    assertThat(open().isValid(PURPOSE, "text", code)).isFalse();
  }

  @Test
  void secrets_rotated_beginWithTheNewOneAndKeepTheOthers() {
    MessageAuthenticator running = open();
    byte[] before = running.secrets(PURPOSE).getFirst();
    assertThat(before).hasSize(32).isNotEqualTo(running.secrets("other").getFirst());
    keys().rotate(() -> now, TOKEN_LIFETIME);
    assertThat(running.secrets(PURPOSE)).hasSize(2);
    assertThat(running.secrets(PURPOSE).getFirst())
        .isNotEqualTo(before)
        .isEqualTo(open().secrets(PURPOSE).getFirst());
    assertThat(running.secrets(PURPOSE).getLast()).isEqualTo(before);
  }

  @Test
  void code_rotatedElsewhere_isMadeAndAcceptedWithTheNewKey() {
    MessageAuthenticator running = open();
    String before = running.code(PURPOSE, "text");
    keys().rotate(() -> now, TOKEN_LIFETIME);
    String after = open().code(PURPOSE, "text");
    assertThat(after.substring(0, 8)).isNotEqualTo(before.substring(0, 8));
    assertThat(running.isValid(PURPOSE, "text", after)).isTrue();
    assertThat(running.code(PURPOSE, "text")).isEqualTo(after);
  }

  private static String altered(String code) {
    char replaced = code.charAt(12) == 'A' ? 'B' : 'A';
    return code.substring(0, 12) + replaced + code.substring(13);
  }

  private SigningKeys keys() {
    return SigningKeys.open(directory.resolve("keys.json"), () -> now);
  }

  private MessageAuthenticator open() {
    return new MessageAuthenticator(keys());
  }
}
