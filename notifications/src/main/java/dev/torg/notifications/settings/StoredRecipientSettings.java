package dev.torg.notifications.settings;

import dev.torg.api.v1.NotificationSettings;
import dev.torg.notifications.RecipientSettings;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/// Reads settings from their table and completes them with the defaults.
public final class StoredRecipientSettings implements RecipientSettings {
  private final SettingsStore store = new SettingsStore();

  @Override
  public Map<String, NotificationSettings> of(Tx tx, Collection<String> recipients)
      throws SQLException {
    Map<String, NotificationSettings> stored = store.read(tx, recipients);
    Map<String, NotificationSettings> completed = new HashMap<>();
    recipients.forEach(
        recipient ->
            completed.put(
                recipient, RecipientSettings.complete(stored.getOrDefault(recipient, DEFAULTS))));
    return completed;
  }
}
