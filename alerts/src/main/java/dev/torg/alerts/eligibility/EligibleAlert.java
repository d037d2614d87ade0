package dev.torg.alerts.eligibility;

import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertReason;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Offer;
import dev.torg.favorites.AlertRule;
import java.util.List;

/// An alert to be delivered, its offer as read just before, and the recipient's rules that match it. The rule
/// that decides about delivery is first: INSTANT before DAILY.
public record EligibleAlert(Alert alert, Offer offer, List<MatchedRule> matchedRules) {
  /// A reason and the rule behind it.
  public record MatchedRule(AlertReason reason, AlertRule rule) {}

  public EligibleAlert {
    matchedRules = List.copyOf(matchedRules);
  }

  public MatchedRule first() {
    return matchedRules.getFirst();
  }

  public boolean isInstant() {
    return first().rule().delivery() == Delivery.INSTANT;
  }

  public String recipient() {
    return alert.recipient();
  }
}
