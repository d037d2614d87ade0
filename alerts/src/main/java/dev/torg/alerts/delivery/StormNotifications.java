package dev.torg.alerts.delivery;

import dev.torg.alerts.event.AlertReason;
import dev.torg.notifications.AggregatedNotification;
import java.time.Instant;

/// The entry 'N new offers' of a search or seller: one an hour, which grows.
final class StormNotifications {
  private StormNotifications() {}

  /// With the reader in its key: one that moves to a login must not meet one of the login's own.
  static AggregatedNotification growth(
      String reader, EligibleAlert.MatchedRule held, int by, Instant now, NotificationTexts texts) {
    AlertReason reason = held.reason();
    return new AggregatedNotification(
        reader,
        "storm:" + reader + ":" + reason.source() + ":" + AlertBudget.hour(now),
        reason.kind().topic(),
        now,
        by,
        offers -> texts.ofStorm(held, offers));
  }
}
