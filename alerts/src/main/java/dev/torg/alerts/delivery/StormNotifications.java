package dev.torg.alerts.delivery;

import dev.torg.alerts.eligibility.EligibleAlert;
import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.text.NotificationTexts;
import dev.torg.notifications.AggregatedNotification;
import dev.torg.notifications.DeliveryRequest;
import java.time.Instant;

/// The entry 'N new offers' of a search or seller: one per hour, which grows.
final class StormNotifications {
  private StormNotifications() {}

  /// The key contains the recipient, so that a merged entry does not collide with an entry of the login.
  static AggregatedNotification entry(
      String recipient,
      EligibleAlert.MatchedRule matched,
      int by,
      Instant now,
      NotificationTexts texts,
      DeliveryRequest delivery) {
    AlertReason reason = matched.reason();
    return new AggregatedNotification(
        recipient,
        "storm:" + recipient + ":" + reason.source() + ":" + AlertBudget.hour(now),
        reason.kind().topic(),
        now,
        by,
        offers -> texts.ofStorm(matched, offers),
        delivery);
  }
}
