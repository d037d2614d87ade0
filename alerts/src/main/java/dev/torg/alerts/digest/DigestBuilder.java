package dev.torg.alerts.digest;

import dev.torg.alerts.eligibility.AlertChannels;
import dev.torg.alerts.eligibility.AlertEligibility;
import dev.torg.alerts.eligibility.EligibleAlert.MatchedRule;
import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.text.NotificationTexts;
import dev.torg.alerts.text.OpenLinks;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.Why;
import dev.torg.favorites.AlertRule;
import dev.torg.favorites.LockedAlertRules;
import dev.torg.notifications.Channel;
import dev.torg.notifications.DeliveryRequest;
import dev.torg.notifications.NewNotification;
import dev.torg.notifications.NotificationTopics;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
  private final Map<AlertReason, AlertRule> rulesByReason = new HashMap<>();
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
        rules.rule(reason.key(item.owner())).ifPresent(rule -> addReason(reason, rule));
      }
    }
  }

  private void addReason(AlertReason reason, AlertRule rule) {
    reasons.put(reason, why(reason, rule));
    if (AlertEligibility.isOn(rule)) {
      rulesByReason.put(reason, rule);
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

  Optional<NewNotification> entry(
      DigestStore.Due due, NotificationSettings settings, OpenLinks links, Instant now) {
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
            new NotificationTexts(settings, links)
                .ofDigest(due.runAt().toString(), titles, items, List.copyOf(reasons.values())),
            DeliveryRequest.on(channels(settings))));
  }

  /// A digest is delivered on the channels of all rules behind its items.
  private Set<Channel> channels(NotificationSettings settings) {
    List<MatchedRule> rules = new ArrayList<>();
    rulesByReason.forEach((reason, rule) -> rules.add(new MatchedRule(reason, rule)));
    return AlertChannels.union(rules, settings);
  }

  /// Contains the owner, so that a merged entry does not collide with an entry of the login.
  private static String key(DigestStore.Due due) {
    return "digest:" + due.owner() + ":" + due.since() + ":" + due.runAt();
  }
}
