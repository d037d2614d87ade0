package dev.torg.alerts.digest;

import dev.torg.alerts.delivery.NotificationTexts;
import dev.torg.alerts.event.AlertReason;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.Why;
import dev.torg.favorites.AlertRule;
import dev.torg.favorites.LockedAlertRules;
import dev.torg.notifications.NewNotification;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.RecipientSettings;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/// What a reader's digest is going to say, gathered page by page: however many items it has, only what
/// the entry shows is kept.
final class DigestBuilder {
  /// Titles that an entry lists.
  private static final int TITLES = 10;

  private static final Comparator<DigestStore.Item> OLDEST_FIRST =
      Comparator.comparing(DigestStore.Item::at)
          .thenComparing(DigestStore.Item::offer)
          .thenComparingInt(DigestStore.Item::kind);

  private final TreeSet<DigestStore.Item> first = new TreeSet<>(OLDEST_FIRST);
  private final Map<AlertReason, Why> reasons = new LinkedHashMap<>();
  private int items;

  /// Takes the item in, unless no reason for it holds any more or its seller is blocked.
  void add(DigestStore.Item item, LockedAlertRules held) {
    if (isEligible(item, held)) {
      items += item.offers();
      first.add(item);
      if (first.size() > TITLES) {
        first.pollLast();
      }
      for (AlertReason reason : item.alert().reasons()) {
        held.rule(reason.key(item.owner()))
            .ifPresent(rule -> reasons.put(reason, why(reason, rule)));
      }
    }
  }

  private static boolean isEligible(DigestStore.Item item, LockedAlertRules held) {
    String reader = item.owner();
    return !held.isBlocked(reader, item.alert().news().seller())
        && item.alert().reasons().stream().anyMatch(reason -> holds(reason, reader, held));
  }

  private static boolean holds(AlertReason reason, String reader, LockedAlertRules held) {
    return held.rule(reason.key(reader))
        .filter(rule -> rule.delivery() != Delivery.OFF)
        .isPresent();
  }

  private static Why why(AlertReason reason, AlertRule rule) {
    String name = reason.kind() == AlertReason.Kind.SEARCH ? rule.name() : reason.id();
    return Why.newBuilder().setKind(reason.kind().name()).setId(reason.id()).setName(name).build();
  }

  Optional<NewNotification> entry(DigestStore.Due due, NotificationSettings settings, Instant now) {
    if (items == 0 || RecipientSettings.isMuted(settings, NotificationTopics.DIGEST)) {
      return Optional.empty();
    }
    List<String> titles =
        first.stream()
            .map(item -> item.alert().news().title())
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

  /// With the owner in it: an entry that moves to a login must not meet one of the login's own.
  private static String key(DigestStore.Due due) {
    return "digest:" + due.owner() + ":" + due.since() + ":" + due.runAt();
  }
}
