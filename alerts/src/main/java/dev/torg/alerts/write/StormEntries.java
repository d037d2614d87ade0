package dev.torg.alerts.write;

import dev.torg.alerts.alert.Reason;
import dev.torg.notifications.Growth;
import java.time.Instant;

/// The entry 'N new offers' of a search or seller: one an hour, which grows.
final class StormEntries {
  private StormEntries() {}

  /// With the reader in its key: one that moves to a login must not meet one of the login's own.
  static Growth growth(String reader, Choice.Held held, int by, Instant now, Texts texts) {
    Reason reason = held.reason();
    return new Growth(
        reader,
        "storm:" + reader + ":" + reason.source() + ":" + Budget.hour(now),
        reason.kind().topic(),
        now,
        by,
        offers -> texts.ofStorm(held, offers));
  }
}
