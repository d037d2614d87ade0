package dev.torg.alerts.eligibility;

import dev.torg.alerts.eligibility.EligibleAlert.MatchedRule;
import dev.torg.alerts.event.AlertReason;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.favorites.AlertRule;
import dev.torg.notifications.Channel;
import dev.torg.notifications.RecipientSettings;
import dev.torg.notifications.TopicChannels;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// The channels on which an alert is delivered besides the bell: those of all matching rules that are delivered like the
/// deciding one. With an INSTANT search on EMAIL and an INSTANT followed seller on PUSH, a new offer is mailed and pushed;
/// the channels of a DAILY search do not count then. A rule without channels adds none.
///
/// Saved offers have no settings of their own: price alerts use the channels that the recipient names for the topic
/// ([TopicChannels]). A rule whose topic is muted adds no channel to a notification of another topic.
public final class AlertChannels {
  private AlertChannels() {}

  /// @param matched the deciding rule first
  public static Set<Channel> of(List<MatchedRule> matched, NotificationSettings settings) {
    boolean instant = isInstant(matched.getFirst());
    return union(matched.stream().filter(rule -> isInstant(rule) == instant).toList(), settings);
  }

  /// The channels of all these rules, such as those of a digest.
  public static Set<Channel> union(Collection<MatchedRule> rules, NotificationSettings settings) {
    Set<Channel> channels = EnumSet.noneOf(Channel.class);
    rules.forEach(matched -> channels.addAll(of(matched.reason(), matched.rule(), settings)));
    return channels;
  }

  private static Set<Channel> of(
      AlertReason reason, AlertRule rule, NotificationSettings settings) {
    String topic = reason.kind().topic();
    if (RecipientSettings.isMuted(settings, topic)) {
      return Set.of();
    }
    return switch (reason.kind()) {
      case SEARCH, SELLER -> named(rule, topic, settings);
      case PRICE -> TopicChannels.defaults().of(topic, settings);
    };
  }

  private static Set<Channel> named(AlertRule rule, String topic, NotificationSettings settings) {
    Set<Channel> channels = EnumSet.noneOf(Channel.class);
    for (String name : rule.channels()) {
      if (!RecipientSettings.isMuted(settings, topic, name)) {
        Channel.find(name).ifPresent(channels::add);
      }
    }
    return channels;
  }

  private static boolean isInstant(MatchedRule matched) {
    return matched.rule().delivery() == Delivery.INSTANT;
  }
}
