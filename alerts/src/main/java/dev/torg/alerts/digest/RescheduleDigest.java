package dev.torg.alerts.digest;

import dev.torg.api.v1.NotificationSettings;
import dev.torg.notifications.SettingsListener;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;

/// Moves a waiting digest to the digest hour of the recipient's new settings, which may be earlier. A digest that is due
/// already stays so: [SendDigestsJob] decides when it is sent.
public final class RescheduleDigest implements SettingsListener {
  private final DigestStore store = new DigestStore();
  private final InstantSource clock;

  public RescheduleDigest(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public void replaced(Tx tx, String recipient, NotificationSettings settings) throws SQLException {
    Instant now = clock.instant();
    store.reschedule(tx, recipient, now, DigestHour.next(now, settings));
  }
}
