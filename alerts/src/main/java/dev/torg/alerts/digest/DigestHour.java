package dev.torg.alerts.digest;

import dev.torg.api.v1.NotificationSettings;
import dev.torg.notifications.RecipientSettings;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;

/// The hour at which a recipient's digest is sent.
public final class DigestHour {
  private DigestHour() {}

  /// The first time after the given one at which it is the recipient's digest hour in their timezone.
  public static Instant next(Instant after, NotificationSettings settings) {
    ZoneId zone = RecipientSettings.zone(settings);
    LocalDate today = LocalDate.ofInstant(after, zone);
    Instant digest = on(today, settings, zone);
    return digest.isAfter(after) ? digest : on(today.plusDays(1), settings, zone);
  }

  /// Where clocks skip the hour, the moment of the change; of an hour that exists twice the first.
  private static Instant on(LocalDate day, NotificationSettings settings, ZoneId zone) {
    LocalDateTime local = day.atTime(settings.getDigestHour(), 0);
    ZoneOffsetTransition change = zone.getRules().getTransition(local);
    return change != null && change.isGap() ? change.getInstant() : local.atZone(zone).toInstant();
  }
}
