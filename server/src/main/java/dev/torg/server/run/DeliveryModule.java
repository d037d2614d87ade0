package dev.torg.server.run;

import dev.torg.notifications.DeliveryLimits;
import dev.torg.notifications.campaign.StoredCampaignProgress;
import dev.torg.notifications.dispatch.DeliverySettings;
import dev.torg.notifications.wiring.DeliveryParts;
import dev.torg.notifications.wiring.DevicesWiring;
import dev.torg.notifications.wiring.NotificationsWiring;
import dev.torg.server.config.Role;

/// Role delivery: sends notifications on the channels besides the bell.
final class DeliveryModule implements Module {
  private final NotificationsWiring notifications;
  private final DeliveryParts parts;

  DeliveryModule(
      NotificationsWiring notifications,
      DevicesWiring devices,
      ChannelsModule channels,
      DeliveryLimits limits) {
    this.notifications = notifications;
    this.parts =
        new DeliveryParts(
            channels.providers(),
            devices.targets(),
            devices.unsubscribeLinks(),
            new StoredCampaignProgress(),
            DeliverySettings.of(limits));
  }

  @Override
  public void start(BackgroundRuntime runtime) {
    if (runtime.does(Role.DELIVERY)) {
      notifications.startDelivery(runtime.leases(), parts);
    }
  }

  /// Nothing to close: the notification center ends its deliveries.
  @Override
  public void close() {}
}
