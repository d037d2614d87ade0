package dev.torg.notifications.delivery;

import java.util.Locale;

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
  CHANNEL_LIMIT,
  /// This installation cannot send on the channel.
  CHANNEL_NOT_CONFIGURED,
  /// The person has no verified contact or no device.
  NO_TARGET,
  /// No device has a sufficient version of the app.
  APP_VERSION,
  /// The person read the entry before.
  READ,
  /// The entry was withdrawn or deleted before.
  WITHDRAWN,
  /// It cannot be decided because of a defect, which is logged.
  DEFECT;

  /// Whether the entry itself is the reason, not the person's settings or contacts.
  public boolean isCancellation() {
    return this == READ || this == WITHDRAWN;
  }

  /// For metrics and the record of deliveries: `topic-muted`.
  public String code() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
