package dev.torg.notifications;

import dev.torg.api.v1.Notification;
import dev.torg.platform.OfferId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A new entry. Its `key` names the subject and is unique per recipient forever: a second entry with the
/// same key is not written, and a login merge keeps one of two entries with the same key. An entry that
/// summarizes the recipient's own data therefore has the recipient in its key. Of the content, id,
/// topic, time, read state and offer are not stored: they follow from the columns.
public record NewNotification(
    String recipient,
    String key,
    String topic,
    Instant at,
    @Nullable OfferId offer,
    Notification content,
    DeliveryRequest delivery)
    implements BellEntry {
  /// An entry for the bell only.
  public NewNotification(
      String recipient,
      String key,
      String topic,
      Instant at,
      @Nullable OfferId offer,
      Notification content) {
    this(recipient, key, topic, at, offer, content, DeliveryRequest.NONE);
  }
}
