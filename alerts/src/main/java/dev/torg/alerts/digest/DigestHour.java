package dev.torg.alerts.digest;

import dev.torg.api.v1.NotificationSettings;
import dev.torg.notifications.RecipientSettings;
import java.time.Instant;
import java.time.ZonedDateTime;

/// The hour at which a recipient's digest is sent.
public final class DigestHour {
  private DigestHour() {}

  /// The first time after the given one at which it is the recipient's digest hour in their timezone.
  public static Instant next(Instant after, NotificationSettings settings) {
    ZonedDateTime local = after.atZone(RecipientSettings.zone(settings));
    ZonedDateTime today =
        local.toLocalDate().atTime(settings.getDigestHour(), 0).atZone(local.getZone());
    return (today.toInstant().isAfter(after) ? today : today.plusDays(1)).toInstant();
  }
}
