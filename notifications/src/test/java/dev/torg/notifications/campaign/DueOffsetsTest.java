package dev.torg.notifications.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DueOffsetsTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @ParameterizedTest(name = "{0} in {1}: {2}")
  @CsvSource({
    // 10:00 in Berlin, in summer.
    "2026-06-01T08:00:00Z, Europe/Berlin,       2026-06-01T08:00:00Z",
    "2026-06-01T08:00:00Z, Europe/London,       2026-06-01T09:00:00Z",
    "2026-06-01T08:00:00Z, America/New_York,    2026-06-01T14:00:00Z",
    // East of Berlin it was 10:00 before: the next day.
    "2026-06-01T08:00:00Z, Asia/Tokyo,          2026-06-02T01:00:00Z",
    "2026-06-01T08:00:00Z, Asia/Kolkata,        2026-06-02T04:30:00Z",
    // The date is another one there.
    "2026-06-01T08:00:00Z, Pacific/Kiritimati,  2026-06-01T20:00:00Z",
    "2026-06-01T08:00:00Z, Pacific/Niue,        2026-06-01T21:00:00Z",
    "2026-06-01T23:30:00Z, America/Los_Angeles, 2026-06-02T08:30:00Z",
    // 02:30 does not exist in Berlin on 29 March; 00:30 UTC is 01:30 there, and exists once in
    // Lisbon's gap at 01:00.
    "2026-03-29T00:30:00Z, Europe/Lisbon,       2026-03-29T01:30:00Z",
    // 02:30 exists twice in Berlin on 25 October: the campaign's own time is the second one.
    "2026-10-25T01:30:00Z, Europe/Berlin,       2026-10-25T01:30:00Z",
    "2026-10-25T00:30:00Z, Europe/Berlin,       2026-10-25T00:30:00Z",
    // Clocks go forward in New York on 8 March at 02:00: 02:30 is 03:30 then.
    "2026-03-08T01:30:00Z, America/New_York,    2026-03-08T07:30:00Z",
    // Clocks go back in New York on 1 November at 02:00: the first 01:30.
    "2026-11-01T00:30:00Z, America/New_York,    2026-11-01T05:30:00Z",
  })
  void of_localTime_isTheFirstMomentNotBeforeTheCampaignsTime(
      Instant from, ZoneId zone, Instant due) {
    DueOffsets offsets = new DueOffsets("c", from, 0, true, BERLIN);
    assertThat(from.plusSeconds(offsets.of("user:1", zone))).isEqualTo(due);
  }

  @Test
  void of_localTimeInAnyZoneAtAnyHour_showsTheSameClockWithin25Hours() {
    for (String id : ZoneId.getAvailableZoneIds()) {
      ZoneId zone = ZoneId.of(id);
      for (int hour = 0; hour < 48; hour++) {
        Instant from = Instant.parse("2026-06-01T00:15:00Z").plusSeconds(hour * 3600L);
        int offset = new DueOffsets("c", from, 0, true, BERLIN).of("user:1", zone);
        assertThat(offset).as("%s at %s", id, from).isBetween(0, 25 * 3600);
        assertThat(from.plusSeconds(offset).atZone(zone).toLocalTime())
            .as("%s at %s", id, from)
            .isEqualTo(from.atZone(BERLIN).toLocalTime());
      }
    }
  }

  @Test
  void of_spreadOverAnHour_isEvenAndStable() {
    DueOffsets offsets = new DueOffsets("c", Instant.EPOCH, 3600, false, ZoneOffset.UTC);
    long[] perQuarter = new long[4];
    IntStream.range(0, 40_000)
        .map(i -> offsets.of("user:" + i, ZoneOffset.UTC))
        .forEach(offset -> perQuarter[offset / 900]++);
    for (long count : perQuarter) {
      assertThat(count).isBetween(9_500L, 10_500L);
    }
    assertThat(offsets.of("user:7", ZoneOffset.UTC))
        .isEqualTo(offsets.of("user:7", ZoneOffset.UTC));
  }

  @Test
  void of_anotherCampaign_hasAnotherOrder() {
    DueOffsets first = new DueOffsets("a", Instant.EPOCH, 86_400, false, ZoneOffset.UTC);
    DueOffsets second = new DueOffsets("b", Instant.EPOCH, 86_400, false, ZoneOffset.UTC);
    long equal =
        IntStream.range(0, 1_000)
            .filter(
                i ->
                    first.of("user:" + i, ZoneOffset.UTC) == second.of("user:" + i, ZoneOffset.UTC))
            .count();
    assertThat(equal).isLessThan(10);
  }

  @Test
  void of_bothSpreadAndLocal_isTheirSum() {
    Instant from = Instant.parse("2026-06-01T08:00:00Z");
    int spread = new DueOffsets("c", from, 600, false, BERLIN).of("user:1", BERLIN);
    int both =
        new DueOffsets("c", from, 600, true, BERLIN).of("user:1", ZoneId.of("Europe/London"));
    assertThat(both).isEqualTo(3600 + spread);
  }
}
