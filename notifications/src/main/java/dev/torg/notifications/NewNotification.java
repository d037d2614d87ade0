package dev.torg.notifications;

import dev.torg.api.v1.Notification;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Something for a reader to hear. The `key` says what it is about, once per reader for good: of two
/// with one key that meet when a reader moves to a login one stays, so what sums up a reader's own
/// things names that reader in its key. Of the content title, text, media, action, buttons and why are
/// kept; the rest follows from the others.
public record NewNotification(
    String recipient,
    String key,
    String topic,
    Instant at,
    @Nullable OfferId offer,
    Notification content) {
  public Home home() {
    return Home.of(recipient);
  }
}
