package dev.torg.offers.moderation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.offers.lifecycle.OfferSituations;
import dev.torg.platform.Failure;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueCursorTest {
  @Test
  void token_readsBackAsWritten() {
    QueueCursor cursor =
        new QueueCursor(Instant.parse("2026-06-01T12:00:00.123456Z"), OfferSituations.ID);
    assertThat(QueueCursor.parse(cursor.token())).isEqualTo(cursor);
  }

  @Test
  void parse_emptyToken_precedesOldestEntry() {
    assertThat(QueueCursor.parse("").since()).isEqualTo(Instant.EPOCH);
  }

  /// `1.1` contains an offer id with a wrong check digit.
  @ParameterizedTest
  @ValueSource(strings = {"x", ".", "1.", ".1", "1.!", "1.1", "zzzzzzzzzzzzzzzz.0"})
  void parse_anythingElse_isInvalid(String token) {
    assertThatThrownBy(() -> QueueCursor.parse(token))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.kind()).isEqualTo(Failure.Kind.INVALID));
  }
}
