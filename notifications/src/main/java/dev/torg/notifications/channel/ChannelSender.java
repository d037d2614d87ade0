package dev.torg.notifications.channel;

import dev.torg.notifications.Channel;
import java.util.Locale;
import java.util.Optional;

/// Sends messages on one channel. Safe for use by several threads.
public interface ChannelSender {
  Channel channel();

  /// Whether this installation can send on the channel. If not, nothing is sent.
  boolean isConfigured();

  /// Whether this installation can send to the target: the devices of a person may be of several providers.
  default boolean isConfigured(DeliveryTarget target) {
    return isConfigured();
  }

  /// The service that the message goes through, as in `fcm`; its failures concern all of its messages. Empty if the
  /// target is a server of the recipient, whose failures concern nobody else.
  default Optional<String> provider(DeliveryTarget target) {
    return Optional.of(channel().name().toLowerCase(Locale.ROOT));
  }

  /// Makes one attempt. Blocks until the outcome is known or a timeout has passed; throws nothing that concerns the
  /// message or the provider.
  DeliveryOutcome send(OutgoingMessage message);
}
