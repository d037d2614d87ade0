package dev.torg.alerts.write;

import dev.torg.alerts.alert.Alert;
import dev.torg.alerts.alert.News;
import dev.torg.alerts.alert.Reason;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.HeldRules;
import dev.torg.favorites.Rule;
import dev.torg.favorites.RuleKey;
import dev.torg.notifications.ReaderSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Which alerts have a reason that holds, by the readers' own rows: it exists, is not OFF or muted,
/// and is older than the offer's first activation; and the seller is not blocked.
final class ChooseAlerts {
  /// The deciding one first.
  static final Comparator<Choice.Held> DECIDING =
      Comparator.comparing((Choice.Held held) -> held.rule().delivery() != Delivery.INSTANT)
          .thenComparing(held -> held.reason().kind())
          .thenComparing(held -> held.rule().createdAt())
          .thenComparing(held -> held.reason().id());

  private ChooseAlerts() {}

  /// All rows that must be asked. That the reader follows the seller is asked whatever the alert
  /// says: it costs nothing, and the alert may have come from another rule alone.
  static Set<RuleKey> keys(List<Candidate> candidates) {
    Set<RuleKey> keys = new LinkedHashSet<>();
    for (Candidate candidate : candidates) {
      Alert alert = candidate.alert();
      reasons(alert).forEach(reason -> keys.add(reason.key(alert.reader())));
      keys.add(new RuleKey(alert.reader(), FavoriteKind.BLOCK, alert.news().seller()));
    }
    return keys;
  }

  static Optional<Choice> choose(
      Candidate candidate, HeldRules held, NotificationSettings settings) {
    return choice(candidate, named(candidate, held, settings));
  }

  /// The same with what was found beside the reasons that the alert names.
  static Optional<Choice> choose(
      Candidate candidate,
      HeldRules held,
      NotificationSettings settings,
      Collection<Choice.Held> further) {
    List<Choice.Held> all = new ArrayList<>(named(candidate, held, settings));
    all.addAll(further);
    return choice(candidate, all);
  }

  /// How a search would have to be delivered to count beside the reasons that the alert names, the
  /// best first. None if the alert names all, if one of those named is INSTANT already, or if no
  /// search counts.
  static List<Delivery> worthFinding(
      Candidate candidate, Optional<Choice> named, HeldRules held, NotificationSettings settings) {
    Alert alert = candidate.alert();
    boolean searchCounts =
        alert.news().isNew()
            && !held.isBlocked(alert.reader(), alert.news().seller())
            && !ReaderSettings.isMuted(settings, Reason.Kind.SEARCH.topic());
    if (!alert.reasonsCut() || !searchCounts || named.filter(Choice::isInstant).isPresent()) {
      return List.of();
    }
    return named.isPresent()
        ? List.of(Delivery.INSTANT)
        : List.of(Delivery.INSTANT, Delivery.DAILY);
  }

  private static List<Choice.Held> named(
      Candidate candidate, HeldRules held, NotificationSettings settings) {
    Alert alert = candidate.alert();
    if (held.isBlocked(alert.reader(), alert.news().seller())) {
      return List.of();
    }
    List<Choice.Held> found = new ArrayList<>();
    for (Reason reason : reasons(alert)) {
      held.rule(reason.key(alert.reader()))
          .filter(rule -> holds(alert.news(), reason, rule, settings))
          .ifPresent(rule -> found.add(new Choice.Held(reason, rule)));
    }
    return found;
  }

  private static Optional<Choice> choice(Candidate candidate, List<Choice.Held> found) {
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Choice(
                candidate.alert(), candidate.offer(), found.stream().sorted(DECIDING).toList()));
  }

  private static Set<Reason> reasons(Alert alert) {
    if (!alert.news().isNew()) {
      return alert.reasons();
    }
    Set<Reason> all = new LinkedHashSet<>(alert.reasons());
    all.add(Reason.seller(alert.news().seller()));
    return all;
  }

  private static boolean holds(News news, Reason reason, Rule rule, NotificationSettings settings) {
    boolean oldEnough = !news.isNew() || rule.createdAt().isBefore(news.activatedAt());
    return oldEnough
        && rule.delivery() != Delivery.OFF
        && !ReaderSettings.isMuted(settings, reason.kind().topic());
  }
}
