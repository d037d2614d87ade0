package dev.torg.notifications;

import dev.torg.api.v1.NotificationSettings;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;

/// Is called in the transaction that replaces a recipient's settings, before any row of the notification center is
/// locked (docs/data-model.md#lock-order).
@FunctionalInterface
public interface SettingsListener {
  /// @param settings the new ones, complete
  void replaced(Tx tx, String recipient, NotificationSettings settings) throws SQLException;
}
