package dev.torg.alerts.delivery;

import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertReason;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Offer;
import dev.torg.favorites.AlertRule;
import java.util.List;

/// An alert that is going to be told, the offer as it is now, and the reader's rules that hold for
/// it, the deciding one first: INSTANT before DAILY.
record EligibleAlert(Alert alert, Offer offer, List<MatchedRule> matchedRules) {
  /// A reason and the rule behind it.
  record MatchedRule(AlertReason reason, AlertRule rule) {}

  EligibleAlert {
    matchedRules = List.copyOf(matchedRules);
  }

  MatchedRule first() {
    return matchedRules.getFirst();
  }

  boolean isInstant() {
    return first().rule().delivery() == Delivery.INSTANT;
  }

  String recipient() {
    return alert.recipient();
  }
}
