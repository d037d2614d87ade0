package dev.torg.notifications.operation;

import dev.torg.notifications.DeliveryProvider;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.RecipientSettings;
import dev.torg.notifications.channel.DeliveryTargets;
import dev.torg.notifications.delivery.CampaignProgress;
import java.util.Set;

/// What claims use of other packages.
///
/// @param configured the providers that this installation can send with
public record ClaimDependencies(
    NotificationTopics topics,
    RecipientSettings settings,
    DeliveryTargets targets,
    CampaignProgress campaigns,
    Set<DeliveryProvider> configured) {
  public ClaimDependencies {
    configured = Set.copyOf(configured);
  }
}
