package dev.torg.notifications.push;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.TestMessages;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PushLifetimeTest {
  private static final Instant NOW = Instant.parse("2026-05-04T10:00:00Z");
  private static final DeliveryTarget DEVICE = new DeliveryTarget.Fcm("d1", "1.0", "token");

  @ParameterizedTest
  @CsvSource({"90, 90", "86399, 86399", "86400, 86400", "86401, 86400", "0, 0", "-5, 0"})
  void of_expiringMessage_endsWithIt(long expiresInSeconds, long seconds) {
    assertThat(
            PushLifetime.of(TestMessages.expiring(DEVICE, NOW.plusSeconds(expiresInSeconds)), NOW))
        .isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  void of_otherMessages_isADay() {
    assertThat(PushLifetime.of(TestMessages.to(DEVICE), NOW)).isEqualTo(Duration.ofDays(1));
  }
}
