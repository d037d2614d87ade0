package dev.torg.alerts.digest;

import dev.torg.alerts.eligibility.AlertEligibility;
import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.text.NotificationTexts;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.Why;
import dev.torg.favorites.AlertRule;
import dev.torg.favorites.LockedAlertRules;
import dev.torg.notifications.NewNotification;
import dev.torg.notifications.NotificationTopics;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/// Collects the items of a recipient's digest, page by page. Only what the entry displays is retained,
/// however many items there are.
final class DigestBuilder {
  /// Titles listed in an entry.
  private static final int MAX_TITLES = 10;

  private static final Comparator<DigestStore.Item> OLDEST_FIRST =
      Comparator.comparing(DigestStore.Item::at)
          .thenComparing(DigestStore.Item::offer)
          .thenComparingInt(DigestStore.Item::kind);

  private final TreeSet<DigestStore.Item> first = new TreeSet<>(OLDEST_FIRST);
  private final Map<AlertReason, Why> reasons = new LinkedHashMap<>();
  private int items;

  /// Adds the item, unless none of its rules exists any more or its seller is blocked.
  void add(DigestStore.Item item, LockedAlertRules rules) {
    if (isEligible(item, rules)) {
      items += item.offers();
      first.add(item);
      if (first.size() > MAX_TITLES) {
        first.pollLast();
      }
      for (AlertReason reason : item.alert().reasons()) {
        rules
            .rule(reason.key(item.owner()))
            .ifPresent(rule -> reasons.put(reason, why(reason, rule)));
      }
    }
  }

  private static boolean isEligible(DigestStore.Item item, LockedAlertRules rules) {
    String recipient = item.owner();
    return !rules.isBlocked(recipient, item.alert().content().seller())
        && item.alert().reasons().stream().anyMatch(reason -> holds(reason, recipient, rules));
  }

  private static boolean holds(AlertReason reason, String recipient, LockedAlertRules rules) {
    return rules.rule(reason.key(recipient)).filter(AlertEligibility::isOn).isPresent();
  }

  private static Why why(AlertReason reason, AlertRule rule) {
    String name = reason.kind() == AlertReason.Kind.SEARCH ? rule.name() : reason.id();
    return Why.newBuilder().setKind(reason.kind().name()).setId(reason.id()).setName(name).build();
  }

  Optional<NewNotification> entry(DigestStore.Due due, NotificationSettings settings, Instant now) {
    if (items == 0) {
      return Optional.empty();
    }
    List<String> titles =
        first.stream()
            .map(item -> item.alert().content().title())
            .filter(title -> !title.isEmpty())
            .toList();
    return Optional.of(
        new NewNotification(
            due.owner(),
            key(due),
            NotificationTopics.DIGEST,
            now,
            null,
            new NotificationTexts(settings)
                .ofDigest(due.runAt().toString(), titles, items, List.copyOf(reasons.values()))));
  }

  /// Contains the owner, so that a merged entry does not collide with an entry of the login.
  private static String key(DigestStore.Due due) {
    return "digest:" + due.owner() + ":" + due.since() + ":" + due.runAt();
  }
}
