package dev.torg.alerts.digest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.NotificationSettings;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DigestHourTest {
  private static Instant next(String after, int hour, String timezone) {
    return DigestHour.next(
        Instant.parse(after),
        NotificationSettings.newBuilder().setDigestHour(hour).setTimezone(timezone).build());
  }

  @ParameterizedTest(name = "{0}, {1} o'clock in {2}")
  @CsvSource({
    // Later today, exactly at the hour, in another day of the recipient.
    "2026-05-04T10:00:00Z, 18, Europe/Berlin, 2026-05-04T16:00:00Z",
    "2026-05-04T09:00:00Z, 9, UTC, 2026-05-05T09:00:00Z",
    "2026-05-04T22:30:00Z, 9, Asia/Vladivostok, 2026-05-04T23:00:00Z",
    // Around midnight.
    "2026-05-04T21:59:59.999999Z, 0, Europe/Berlin, 2026-05-04T22:00:00Z",
    "2026-05-04T22:00:00Z, 0, Europe/Berlin, 2026-05-05T22:00:00Z",
    "2026-05-04T22:00:00Z, 23, Europe/Berlin, 2026-05-05T21:00:00Z",
    "2026-12-31T23:30:00Z, 0, UTC, 2027-01-01T00:00:00Z",
    // Offsets that are not whole hours, and the two sides of the date line.
    "2026-05-04T10:00:00Z, 0, Asia/Kolkata, 2026-05-04T18:30:00Z",
    "2026-05-04T10:00:00Z, 9, Asia/Kathmandu, 2026-05-05T03:15:00Z",
    "2026-05-04T10:00:00Z, 9, Pacific/Kiritimati, 2026-05-04T19:00:00Z",
    "2026-05-04T10:00:00Z, 9, Pacific/Pago_Pago, 2026-05-04T20:00:00Z",
    // Clocks go forward at 2 o'clock on March 29: the hour is skipped, and exists again the day
    // after.
    "2026-03-28T12:00:00Z, 2, Europe/Berlin, 2026-03-29T01:00:00Z",
    "2026-03-29T01:00:00Z, 2, Europe/Berlin, 2026-03-30T00:00:00Z",
    "2026-03-28T08:00:00Z, 9, Europe/Berlin, 2026-03-29T07:00:00Z",
    // Clocks go back at 3 o'clock on October 25: 2 o'clock exists twice, the digest is sent once.
    "2026-10-24T12:00:00Z, 2, Europe/Berlin, 2026-10-25T00:00:00Z",
    "2026-10-25T00:00:00Z, 2, Europe/Berlin, 2026-10-26T01:00:00Z",
    "2026-10-25T00:30:00Z, 2, Europe/Berlin, 2026-10-26T01:00:00Z",
    "2026-10-24T07:00:00Z, 9, Europe/Berlin, 2026-10-25T08:00:00Z",
    // Clocks go forward at midnight on March 8.
    "2026-03-07T12:00:00Z, 0, America/Havana, 2026-03-08T05:00:00Z",
    "2026-03-08T05:00:00Z, 0, America/Havana, 2026-03-09T04:00:00Z"
  })
  void next_isTheNextDigestHourInTheTimezone(
      String after, int hour, String timezone, String expected) {
    assertThat(next(after, hour, timezone)).isEqualTo(Instant.parse(expected));
  }

  @Test
  void next_noTimezoneChosen_isInTheOneThatApplies() {
    NotificationSettings settings =
        NotificationSettings.newBuilder()
            .setDigestHour(9)
            .setEffectiveTimezone("Asia/Tokyo")
            .build();
    assertThat(DigestHour.next(Instant.parse("2026-05-04T10:00:00Z"), settings))
        .isEqualTo(Instant.parse("2026-05-05T00:00:00Z"));
  }
}
