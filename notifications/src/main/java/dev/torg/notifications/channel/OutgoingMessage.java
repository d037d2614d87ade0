package dev.torg.notifications.channel;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/// One message to one target.
///
/// @param notificationId the entry in the recipient's bell; a client that opens the message marks it as read
/// @param unsubscribeUrl a signed link that works without login; empty for topics that cannot be muted, and on channels
///     other than EMAIL
/// @param expiresAt from when on it must not be shown; empty: never
public record OutgoingMessage(
    String notificationId,
    String recipient,
    String topic,
    DeliveryTarget target,
    MessageContent content,
    Locale language,
    String unsubscribeUrl,
    Optional<Instant> expiresAt) {
  /// A message that does not expire.
  public OutgoingMessage(
      String notificationId,
      String recipient,
      String topic,
      DeliveryTarget target,
      MessageContent content,
      Locale language,
      String unsubscribeUrl) {
    this(
        notificationId,
        recipient,
        topic,
        target,
        content,
        language,
        unsubscribeUrl,
        Optional.empty());
  }
}
