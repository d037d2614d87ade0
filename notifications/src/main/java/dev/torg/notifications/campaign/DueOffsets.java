package dev.torg.notifications.campaign;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;

/// When each recipient of a campaign is due, in seconds after the campaign's time: the sum of
///
/// - a part of the period over which the campaign is spread, by a stable hash of the recipient, and
/// - with local times, the delay until the recipient's clock first shows the time of day that the operator's clock shows
///   at the campaign's time. It is at most a day, or 25 hours where clocks go back. A local time that does not exist on
///   that day, because clocks go forward, is later by the length of the gap; of one that exists twice, the first counts
///   that is not before the campaign's time.
///
/// @param campaign so that a recipient is not always among the first
/// @param from the campaign's time
/// @param operatorZone that in which the campaign's time is the one meant
record DueOffsets(
    String campaign, Instant from, long spreadSeconds, boolean isLocal, ZoneId operatorZone) {
  private static final HashFunction HASH = Hashing.murmur3_32_fixed();

  static DueOffsets of(StoredCampaign campaign, ZoneId operatorZone) {
    return new DueOffsets(
        campaign.key().text(),
        campaign.offsetsFrom(),
        campaign.spreadSeconds(),
        campaign.request().getRespectTimezone(),
        operatorZone);
  }

  int of(String recipient, ZoneId zone) {
    return (int) (spread(recipient) + (isLocal ? localDelay(zone).toSeconds() : 0));
  }

  private long spread(String recipient) {
    return spreadSeconds == 0
        ? 0
        : Integer.toUnsignedLong(
                HASH.hashString(campaign + ' ' + recipient, StandardCharsets.UTF_8).asInt())
            % spreadSeconds;
  }

  private Duration localDelay(ZoneId zone) {
    LocalTime time = from.atZone(operatorZone).toLocalTime();
    ZonedDateTime today = from.atZone(zone).with(time);
    Instant due = firstNotBefore(today);
    return Duration.between(
        from, due.isBefore(from) ? firstNotBefore(today.plusDays(1).with(time)) : due);
  }

  /// The earlier of two instants with this local time, if it is not before the campaign's time.
  private Instant firstNotBefore(ZonedDateTime local) {
    Instant earlier = local.withEarlierOffsetAtOverlap().toInstant();
    return earlier.isBefore(from) ? local.withLaterOffsetAtOverlap().toInstant() : earlier;
  }
}
