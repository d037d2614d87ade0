package dev.torg.notifications;

import dev.torg.api.v1.Notification;
import java.time.Instant;
import java.util.function.IntFunction;

/// An entry that stands for many events, such as '37 new offers': one per recipient and key, whose size
/// grows with each write; the first write creates it. The key names what is aggregated, such as search
/// and hour, and the recipient, so that a login merge does not mistake it for an entry of the login.
///
/// The caller must count each event once: the write commits in the transaction that records the event.
///
/// @param by the number of events that are added
/// @param content creates the content from the new size
public record AggregatedNotification(
    String recipient,
    String key,
    String topic,
    Instant at,
    int by,
    IntFunction<Notification> content,
    DeliveryRequest delivery)
    implements BellEntry {
  /// An entry for the bell only.
  public AggregatedNotification(
      String recipient,
      String key,
      String topic,
      Instant at,
      int by,
      IntFunction<Notification> content) {
    this(recipient, key, topic, at, by, content, DeliveryRequest.NONE);
  }

  public AggregatedNotification {
    if (by < 1) {
      throw new IllegalArgumentException("an entry is aggregated by at least one, not by " + by);
    }
  }
}
