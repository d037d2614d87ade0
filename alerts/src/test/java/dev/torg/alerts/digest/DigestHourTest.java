package dev.torg.alerts.digest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.NotificationSettings;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class DigestHourTest {
  private static Instant next(String after, int hour, String timezone) {
    return DigestHour.next(
        Instant.parse(after),
        NotificationSettings.newBuilder().setDigestHour(hour).setTimezone(timezone).build());
  }

  @Test
  void next_hourLaterToday_isToday() {
    assertThat(next("2026-05-04T10:00:00Z", 18, "Europe/Berlin"))
        .isEqualTo(Instant.parse("2026-05-04T16:00:00Z"));
  }

  @Test
  void next_exactlyAtTheHour_isTomorrow() {
    assertThat(next("2026-05-04T09:00:00Z", 9, "UTC"))
        .isEqualTo(Instant.parse("2026-05-05T09:00:00Z"));
  }

  @Test
  void next_otherDayInTheRecipientsTimeZone_isTheirDay() {
    assertThat(next("2026-05-04T22:30:00Z", 9, "Asia/Vladivostok"))
        .isEqualTo(Instant.parse("2026-05-04T23:00:00Z"));
  }

  @Test
  void next_hourThatTheClocksSkip_isTheNextThatExists() {
    assertThat(next("2026-03-28T12:00:00Z", 2, "Europe/Berlin"))
        .isEqualTo(Instant.parse("2026-03-29T01:00:00Z"));
  }
}
