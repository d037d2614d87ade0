package dev.torg.alerts.delivery;

import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertReason;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.favorites.AlertRule;
import dev.torg.favorites.AlertRuleKey;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.LockedAlertRules;
import dev.torg.notifications.RecipientSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Which alerts have a reason that holds, by the readers' own rows: it exists, is not OFF or muted,
/// and is older than the offer's first activation; and the seller is not blocked.
final class AlertEligibility {
  /// The deciding one first.
  static final Comparator<EligibleAlert.MatchedRule> DECIDING =
      Comparator.comparing(
              (EligibleAlert.MatchedRule held) -> held.rule().delivery() != Delivery.INSTANT)
          .thenComparing(held -> held.reason().kind())
          .thenComparing(held -> held.rule().createdAt())
          .thenComparing(held -> held.reason().id());

  private AlertEligibility() {}

  /// All rows that must be asked. That the reader follows the seller is asked whatever the alert
  /// says: it costs nothing, and the alert may have come from another rule alone.
  static Set<AlertRuleKey> keys(List<CandidateAlert> candidates) {
    Set<AlertRuleKey> keys = new LinkedHashSet<>();
    for (CandidateAlert candidate : candidates) {
      Alert alert = candidate.alert();
      reasons(alert).forEach(reason -> keys.add(reason.key(alert.recipient())));
      keys.add(new AlertRuleKey(alert.recipient(), FavoriteKind.BLOCK, alert.news().seller()));
    }
    return keys;
  }

  static Optional<EligibleAlert> choose(
      CandidateAlert candidate, LockedAlertRules held, NotificationSettings settings) {
    return choice(candidate, named(candidate, held, settings));
  }

  /// The same with what was found beside the reasons that the alert names.
  static Optional<EligibleAlert> choose(
      CandidateAlert candidate,
      LockedAlertRules held,
      NotificationSettings settings,
      Collection<EligibleAlert.MatchedRule> further) {
    List<EligibleAlert.MatchedRule> all = new ArrayList<>(named(candidate, held, settings));
    all.addAll(further);
    return choice(candidate, all);
  }

  /// How a search would have to be delivered to count beside the reasons that the alert names, the
  /// best first. None if the alert names all, if one of those named is INSTANT already, or if no
  /// search counts.
  static List<Delivery> worthFinding(
      CandidateAlert candidate,
      Optional<EligibleAlert> named,
      LockedAlertRules held,
      NotificationSettings settings) {
    Alert alert = candidate.alert();
    boolean searchCounts =
        alert.news().isNew()
            && !held.isBlocked(alert.recipient(), alert.news().seller())
            && !RecipientSettings.isMuted(settings, AlertReason.Kind.SEARCH.topic());
    if (!alert.reasonsCut()
        || !searchCounts
        || named.filter(EligibleAlert::isInstant).isPresent()) {
      return List.of();
    }
    return named.isPresent()
        ? List.of(Delivery.INSTANT)
        : List.of(Delivery.INSTANT, Delivery.DAILY);
  }

  private static List<EligibleAlert.MatchedRule> named(
      CandidateAlert candidate, LockedAlertRules held, NotificationSettings settings) {
    Alert alert = candidate.alert();
    if (held.isBlocked(alert.recipient(), alert.news().seller())) {
      return List.of();
    }
    List<EligibleAlert.MatchedRule> found = new ArrayList<>();
    for (AlertReason reason : reasons(alert)) {
      held.rule(reason.key(alert.recipient()))
          .filter(rule -> holds(alert.news(), reason, rule, settings))
          .ifPresent(rule -> found.add(new EligibleAlert.MatchedRule(reason, rule)));
    }
    return found;
  }

  private static Optional<EligibleAlert> choice(
      CandidateAlert candidate, List<EligibleAlert.MatchedRule> found) {
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new EligibleAlert(
                candidate.alert(), candidate.offer(), found.stream().sorted(DECIDING).toList()));
  }

  private static Set<AlertReason> reasons(Alert alert) {
    if (!alert.news().isNew()) {
      return alert.reasons();
    }
    Set<AlertReason> all = new LinkedHashSet<>(alert.reasons());
    all.add(AlertReason.seller(alert.news().seller()));
    return all;
  }

  private static boolean holds(
      AlertContent news, AlertReason reason, AlertRule rule, NotificationSettings settings) {
    boolean oldEnough = !news.isNew() || rule.createdAt().isBefore(news.activatedAt());
    return oldEnough
        && rule.delivery() != Delivery.OFF
        && !RecipientSettings.isMuted(settings, reason.kind().topic());
  }
}
