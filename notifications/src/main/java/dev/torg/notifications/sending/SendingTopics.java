package dev.torg.notifications.sending;

/// The Kafka topics of sending.
public final class SendingTopics {
  /// Keyed by recipient: `SentNotification`.
  public static final String NOTIFICATIONS = "torg.notifications";

  private SendingTopics() {}
}
