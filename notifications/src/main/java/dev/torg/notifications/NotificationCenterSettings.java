package dev.torg.notifications;

import java.time.Duration;
import java.time.ZoneId;

/// The operator's settings of the notification center.
///
/// @param defaultTimezone applies to persons who neither chose a timezone nor have a device with one
/// @param retention how long an entry is kept after its last change
public record NotificationCenterSettings(ZoneId defaultTimezone, Duration retention) {
  /// Longer than a record can be delivered again: topics are kept for 7 days (docs/decisions/the-bell.md).
  public static final Duration MIN_RETENTION = Duration.ofDays(30);

  public NotificationCenterSettings {
    if (retention.compareTo(MIN_RETENTION) < 0) {
      throw new IllegalArgumentException("entries are kept for at least " + MIN_RETENTION);
    }
  }

  public static NotificationCenterSettings defaults() {
    return new NotificationCenterSettings(ZoneId.of("UTC"), Duration.ofDays(180));
  }
}
