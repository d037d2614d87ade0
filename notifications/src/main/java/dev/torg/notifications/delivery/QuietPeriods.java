package dev.torg.notifications.delivery;

import dev.torg.api.v1.QuietHours;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A person's quiet hours as periods of time: one begins each day, and may end on the next. Equal times mean that there
/// are none.
///
/// A local time that does not exist, because clocks go forward, is the moment of the change. Of a time that exists
/// twice, because clocks go back, a period begins at the first and ends at the second, so that it is not interrupted.
record QuietPeriods(LocalTime from, LocalTime to, ZoneId zone) {
  static QuietPeriods of(QuietHours hours, ZoneId zone) {
    return new QuietPeriods(LocalTime.parse(hours.getFrom()), LocalTime.parse(hours.getTo()), zone);
  }

  /// The end of the period that contains this time.
  Optional<Instant> endOfPeriodAt(Instant time) {
    if (from.equals(to)) {
      return Optional.empty();
    }
    LocalDate today = time.atZone(zone).toLocalDate();
    return Stream.of(today.minusDays(1), today)
        .filter(day -> !time.isBefore(start(day)) && time.isBefore(end(day)))
        .map(this::end)
        .findFirst();
  }

  private Instant start(LocalDate day) {
    LocalDateTime local = day.atTime(from);
    return instant(local, zone.getRules().getValidOffsets(local).stream().findFirst());
  }

  private Instant end(LocalDate day) {
    LocalDateTime local = (to.isAfter(from) ? day : day.plusDays(1)).atTime(to);
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
    return instant(local, offsets.reversed().stream().findFirst());
  }

  private Instant instant(LocalDateTime local, Optional<ZoneOffset> offset) {
    return offset.map(local::toInstant).orElseGet(() -> gap(local).getInstant());
  }

  private ZoneOffsetTransition gap(LocalDateTime local) {
    return zone.getRules().getTransition(local);
  }
}
