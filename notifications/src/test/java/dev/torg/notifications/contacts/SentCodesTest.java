package dev.torg.notifications.contacts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SentCodesTest {
  private static final Instant NOW = Instant.parse("2026-05-04T10:00:00Z");
  private static final SentCodes.Quota QUOTA = new SentCodes.Quota(2, 3);

  @Test
  void allows_asManyAsTheHourAllows_thenNoMoreUntilItHasPassed() {
    SentCodes two = SentCodes.NONE.with(NOW).with(NOW.plusSeconds(600));
    assertThat(SentCodes.NONE.with(NOW).allows(QUOTA, NOW)).isTrue();
    assertThat(two.allows(QUOTA, NOW.plusSeconds(3_599))).isFalse();
    assertThat(two.allows(QUOTA, NOW.plusSeconds(3_600))).isTrue();
  }

  @Test
  void allows_asManyAsTheDayAllows_thenNoMoreUntilItHasPassed() {
    SentCodes three =
        SentCodes.NONE
            .with(NOW)
            .with(NOW.plus(Duration.ofHours(5)))
            .with(NOW.plus(Duration.ofHours(10)));
    assertThat(three.allows(QUOTA, NOW.plus(Duration.ofHours(23)))).isFalse();
    assertThat(three.allows(QUOTA, NOW.plus(Duration.ofHours(24)))).isTrue();
  }

  @Test
  void with_aDayLater_forgetsTheOldest() {
    Instant later = NOW.plus(Duration.ofDays(1));
    assertThat(SentCodes.NONE.with(NOW).with(later).times()).containsExactly(later);
  }

  @Test
  void decode_encoded_isTheSame() {
    SentCodes codes = SentCodes.NONE.with(NOW).with(NOW.plusNanos(1_000));
    assertThat(SentCodes.decode(codes.encode())).isEqualTo(codes);
    assertThat(SentCodes.decode(new byte[0])).isEqualTo(SentCodes.NONE);
  }
}
