package dev.torg.notifications.delivery;

import dev.torg.api.v1.Limit;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/// How many messages a person received on a channel in the current hour, day and week, of one topic or of all. Periods
/// are those of the calendar in the person's timezone; a week begins on Monday.
///
/// All three periods are counted whatever the limits are, so that a new limit takes effect at once.
///
/// @param last the time of the last delivery
public record DeliveryCount(Period hour, Period day, Period week, Optional<Instant> last) {
  /// No deliveries.
  public static final DeliveryCount NONE =
      new DeliveryCount(Period.EMPTY, Period.EMPTY, Period.EMPTY, Optional.empty());

  /// The number of deliveries in the period that began at `start`.
  public record Period(Instant start, int count) {
    static final Period EMPTY = new Period(Instant.EPOCH, 0);

    /// The deliveries in a period with this start. After a change of the timezone the counted period may have begun
    /// later than the current one; then its deliveries belong to the current one.
    int countSince(Instant currentStart) {
      return start.isBefore(currentStart) ? 0 : count;
    }

    /// The deliveries of two identities of one person. Periods that overlap, because their timezones differ, count as
    /// one.
    Period plus(Period other, Duration length) {
      Period later = start.isBefore(other.start) ? other : this;
      boolean overlap = Duration.between(start, other.start).abs().compareTo(length) < 0;
      return overlap ? new Period(later.start, count + other.count) : later;
    }

    Period plusOne(Instant currentStart) {
      return start.isBefore(currentStart)
          ? new Period(currentStart, 1)
          : new Period(start, count + 1);
    }
  }

  /// A time and the starts of the periods that contain it in a timezone.
  public record CurrentPeriods(Instant now, Instant hour, Instant day, Instant week) {
    public static CurrentPeriods of(Instant now, ZoneId zone) {
      return new CurrentPeriods(
          now,
          start(Limit.Per.HOUR, now, zone),
          start(Limit.Per.DAY, now, zone),
          start(Limit.Per.WEEK, now, zone));
    }
  }

  /// The count after a delivery.
  public DeliveryCount plusOne(CurrentPeriods current) {
    return new DeliveryCount(
        hour.plusOne(current.hour),
        day.plusOne(current.day),
        week.plusOne(current.week),
        Optional.of(current.now));
  }

  public DeliveryCount plusOne(Instant now, ZoneId zone) {
    return plusOne(CurrentPeriods.of(now, zone));
  }

  /// The deliveries to two identities of one person.
  public DeliveryCount plus(DeliveryCount other) {
    return new DeliveryCount(
        hour.plus(other.hour, Duration.ofHours(1)),
        day.plus(other.day, Duration.ofDays(1)),
        week.plus(other.week, Duration.ofDays(7)),
        Stream.concat(last.stream(), other.last.stream()).max(Comparator.naturalOrder()));
  }

  /// Whether one more delivery now would exceed the limit.
  boolean isSpent(Limit limit, Instant now, ZoneId zone) {
    return period(limit.getPer()).countSince(start(limit.getPer(), now, zone)) >= limit.getCount();
  }

  private Period period(Limit.Per per) {
    return switch (per) {
      case HOUR -> hour;
      case DAY -> day;
      case WEEK -> week;
      case PER_UNSPECIFIED, UNRECOGNIZED -> throw unclear(per);
    };
  }

  /// The start of the day is its first moment, which is not midnight where clocks go forward at midnight.
  private static Instant start(Limit.Per per, Instant now, ZoneId zone) {
    ZonedDateTime local = now.atZone(zone);
    return switch (per) {
      case HOUR -> local.truncatedTo(ChronoUnit.HOURS).toInstant();
      case DAY -> local.toLocalDate().atStartOfDay(zone).toInstant();
      case WEEK ->
          local
              .toLocalDate()
              .with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY))
              .atStartOfDay(zone)
              .toInstant();
      case PER_UNSPECIFIED, UNRECOGNIZED -> throw unclear(per);
    };
  }

  private static IllegalArgumentException unclear(Limit.Per per) {
    return new IllegalArgumentException("a limit has no period " + per);
  }
}
