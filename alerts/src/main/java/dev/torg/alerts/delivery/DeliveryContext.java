package dev.torg.alerts.delivery;

import dev.torg.alerts.event.AlertSettings;
import dev.torg.alerts.text.OpenLinks;
import dev.torg.favorites.AlertRules;
import dev.torg.notifications.Bell;
import dev.torg.notifications.RecipientSettings;
import java.time.InstantSource;

/// What the delivery of single alerts and of storms has in common.
///
/// @param limits the budgets of recipients
public record DeliveryContext(
    AlertRules rules,
    RecipientSettings settings,
    Bell bell,
    AlertSettings limits,
    InstantSource clock,
    AlertMetrics metrics) {
  OpenLinks links() {
    return new OpenLinks(limits.publicUrl());
  }
}
