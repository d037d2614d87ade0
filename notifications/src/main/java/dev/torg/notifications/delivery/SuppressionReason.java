package dev.torg.notifications.delivery;

/// Why a message is not delivered on a channel.
public enum SuppressionReason {
  /// It expired, or would expire before it may be delivered.
  EXPIRED,
  /// The person muted the topic.
  TOPIC_MUTED,
  /// The person muted the topic on this channel.
  CHANNEL_MUTED,
  /// The person's limit of the topic on this channel is spent.
  TOPIC_LIMIT,
  /// The person's limit of the channel across topics is spent.
  CHANNEL_LIMIT
}
