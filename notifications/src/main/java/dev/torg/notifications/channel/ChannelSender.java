package dev.torg.notifications.channel;

import dev.torg.notifications.Channel;

/// Sends messages on one channel. Safe for use by several threads.
public interface ChannelSender {
  Channel channel();

  /// Whether this installation can send on the channel. If not, nothing is sent.
  boolean isConfigured();

  /// Makes one attempt. Blocks until the outcome is known or a timeout has passed; throws nothing that concerns the
  /// message or the provider.
  DeliveryOutcome send(OutgoingMessage message);
}
