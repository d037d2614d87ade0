package dev.torg.offers.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.offers.store.PresetStore.PresetPosition;
import dev.torg.platform.Failure;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PresetCursorTest {
  @Test
  void token_readsBackAsWritten() {
    PresetPosition position =
        new PresetPosition(Instant.parse("2026-06-01T12:00:00.123456Z"), 70_000_000_000_013L);
    assertThat(PresetCursor.parse(PresetCursor.token(position))).isEqualTo(position);
  }

  @Test
  void parse_emptyToken_precedesNewestOffer() {
    assertThat(PresetCursor.parse("").createdAt()).isAfter(Instant.parse("2200-01-01T00:00:00Z"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", ".", "1.", ".1", "1.!", "nonsense!", "zzzzzzzzzzzzzzzz.1"})
  void parse_anythingElse_isInvalid(String token) {
    assertThatThrownBy(() -> PresetCursor.parse(token))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.kind()).isEqualTo(Failure.Kind.INVALID));
  }
}
