package dev.torg.notifications.channel;

import java.util.Locale;

/// One message to one target.
///
/// @param notificationId the entry in the recipient's bell; a client that opens the message marks it as read
/// @param unsubscribeUrl a signed link that works without login; empty for topics that cannot be muted, and on channels
///     other than EMAIL
public record OutgoingMessage(
    String notificationId,
    String recipient,
    String topic,
    DeliveryTarget target,
    MessageContent content,
    Locale language,
    String unsubscribeUrl) {}
