package dev.torg.alerts.match;

import dev.torg.alerts.eligibility.AlertEligibility;
import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.event.NamedReasons;
import dev.torg.favorites.Audiences.Member;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The recipients of one offer, collected audience by audience. Of each recipient at most 20 reasons are
/// in memory, however many of their searches match. Empty again after [#drain], for the same offer or the
/// next one.
final class OfferRecipients {
  static final int MAX_RECIPIENTS = 5_000;

  private final Map<String, NamedReasons> recipients = new LinkedHashMap<>();

  void add(AlertContent content, AlertReason reason, List<Member> audience) {
    audience.stream()
        .filter(m -> AlertEligibility.isEligible(content, m.owner(), m.createdAt()))
        .forEach(
            m ->
                recipients
                    .computeIfAbsent(m.owner(), _ -> new NamedReasons(content.offer()))
                    .add(reason, m.delivery()));
  }

  boolean isFull() {
    return recipients.size() >= MAX_RECIPIENTS;
  }

  /// The number of reasons in memory, over all recipients.
  int bufferedReasons() {
    return recipients.values().stream().mapToInt(NamedReasons::size).sum();
  }

  /// Removes all recipients and returns their alerts, whose last reasons are `others`.
  List<Alert> drain(AlertContent content, Collection<AlertReason> others) {
    List<Alert> alerts = new ArrayList<>(recipients.size());
    recipients.forEach((owner, own) -> alerts.add(own.alert(owner, content, others)));
    recipients.clear();
    return alerts;
  }
}
