package dev.torg.notifications.channel;

import dev.torg.notifications.Channel;

/// The sender of a channel that this installation does not have.
public record UnconfiguredSender(Channel channel) implements ChannelSender {
  @Override
  public boolean isConfigured() {
    return false;
  }

  @Override
  public DeliveryOutcome send(OutgoingMessage message) {
    return DeliveryOutcome.rejected("not-configured");
  }
}
