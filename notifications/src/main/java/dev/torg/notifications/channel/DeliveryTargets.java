package dev.torg.notifications.channel;

import dev.torg.notifications.Channel;
import java.util.List;

/// Finds where a person is reached.
public interface DeliveryTargets {
  /// The verified contact of the channel, or all devices for PUSH. Empty if the person registered none.
  List<DeliveryTarget> find(String recipient, Channel channel);

  /// Removes a target of which the provider says that it does not exist any more. A target that was registered again
  /// since, with other data, stays.
  void remove(String recipient, DeliveryTarget gone);
}
