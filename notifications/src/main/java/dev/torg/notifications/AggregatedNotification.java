package dev.torg.notifications;

import dev.torg.api.v1.Notification;
import dev.torg.platform.Home;
import java.time.Instant;
import java.util.function.IntFunction;

/// An entry that stands for many events, such as '37 new offers': one per reader and key, whose size
/// grows by each call. The key names what it stands for, such as search and hour, and the reader too:
/// one that moves to a login must not be taken for one of the login's own. The content is made from
/// the new size.
public record AggregatedNotification(
    String recipient,
    String key,
    String topic,
    Instant at,
    int by,
    IntFunction<Notification> content) {
  public AggregatedNotification {
    if (by < 1) {
      throw new IllegalArgumentException("an entry grows by one at least, not by " + by);
    }
  }

  public Home home() {
    return Home.of(recipient);
  }
}
