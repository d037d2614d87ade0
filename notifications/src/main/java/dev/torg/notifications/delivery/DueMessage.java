package dev.torg.notifications.delivery;

import dev.torg.notifications.Channel;
import dev.torg.notifications.NotificationTopics;
import java.time.Instant;
import java.util.Optional;

/// A message that is due on a channel.
///
/// @param expiresAt from this time on it is not delivered
public record DueMessage(
    NotificationTopics.Topic topic, Channel channel, Optional<Instant> expiresAt) {
  boolean isExpiredAt(Instant time) {
    return expiresAt.isPresent() && !time.isBefore(expiresAt.get());
  }
}
