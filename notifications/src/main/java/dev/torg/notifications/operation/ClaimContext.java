package dev.torg.notifications.operation;

import dev.torg.api.v1.NotificationSettings;
import dev.torg.notifications.Channel;
import dev.torg.notifications.DeliveryProvider;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.RecipientSettings;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.delivery.DeliveryPolicy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What the decisions about claimed operations depend on.
///
/// @param settings of each owner
/// @param targets of each owner on the channel
/// @param configured the providers that this installation can send with
record ClaimContext(
    Channel channel,
    Instant now,
    NotificationTopics topics,
    Map<String, NotificationSettings> settings,
    Map<String, List<DeliveryTarget>> targets,
    Set<DeliveryProvider> configured) {
  boolean isConfigured() {
    return configured.stream().anyMatch(provider -> provider.channel() == channel);
  }

  NotificationSettings settings(String owner) {
    return settings.getOrDefault(owner, RecipientSettings.DEFAULTS);
  }

  DeliveryPolicy policy(String owner) {
    NotificationSettings own = settings(owner);
    return new DeliveryPolicy(own, RecipientSettings.zone(own));
  }

  /// A topic that this version does not know is an ordinary one.
  NotificationTopics.Topic topic(String id) {
    return topics.find(id).orElseGet(() -> new NotificationTopics.Topic(id, id, id, false));
  }

  /// Where the owner is reached with the configured providers.
  List<DeliveryTarget> targets(String owner) {
    return targets.getOrDefault(owner, List.of()).stream()
        .filter(target -> configured.contains(target.provider()))
        .toList();
  }
}
