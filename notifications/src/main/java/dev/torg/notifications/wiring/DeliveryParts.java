package dev.torg.notifications.wiring;

import dev.torg.notifications.DeliveryProvider;
import dev.torg.notifications.channel.ChannelSender;
import dev.torg.notifications.channel.DeliveryTargets;
import dev.torg.notifications.delivery.CampaignProgress;
import dev.torg.notifications.delivery.UnsubscribeLinks;
import dev.torg.notifications.dispatch.DeliverySettings;
import java.util.Map;

/// What deliveries on other channels than the bell are made of.
///
/// @param senders those of this installation; without one for a provider its channel suppresses
public record DeliveryParts(
    Map<DeliveryProvider, ChannelSender> senders,
    DeliveryTargets targets,
    UnsubscribeLinks links,
    CampaignProgress campaigns,
    DeliverySettings settings) {}
