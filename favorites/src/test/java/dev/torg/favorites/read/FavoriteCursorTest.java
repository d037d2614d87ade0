package dev.torg.favorites.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.platform.Failure;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FavoriteCursorTest {
  @ParameterizedTest
  @CsvSource({
    "2026-05-04T10:00:00.123456Z, 1a2b",
    "1970-01-01T00:00:00Z, user:7",
    "9999-01-01T00:00:00Z, ''",
    "2026-05-04T10:00:00Z, 'id with spaces and ж'",
  })
  void token_isReadBackAsWritten(Instant at, String id) {
    FavoriteCursor cursor = new FavoriteCursor(at, id);
    assertThat(FavoriteCursor.of(cursor.token())).isEqualTo(cursor);
    assertThat(cursor.token()).matches("[A-Za-z0-9_-]+");
  }

  @Test
  void noToken_isTheFirstPage() {
    assertThat(FavoriteCursor.of("")).isEqualTo(FavoriteCursor.START);
    assertThat(FavoriteCursor.START.at()).isAfter(Instant.parse("9998-12-31T23:59:59Z"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"?", "!!", "MTcz"})
  void malformedToken_isInvalid(String token) {
    assertInvalid(token);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        " ",
        "x 1",
        "17",
        "-1 a",
        "999999999999999999 a",
        "17 a\0b",
        "99999999999999999999 a"
      })
  void tokenOfAnImpossiblePosition_isInvalid(String text) {
    assertInvalid(
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static void assertInvalid(String token) {
    assertThatThrownBy(() -> FavoriteCursor.of(token))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.kind()).isEqualTo(Failure.Kind.INVALID);
              assertThat(failure.violations().getFirst().field()).isEqualTo("pageToken");
            });
  }
}
