package dev.torg.notifications.settings;

import dev.torg.api.v1.NotificationSettings;
import dev.torg.notifications.RecipientSettings;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.ZoneId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Reads settings from their table and completes them: with the defaults, and with the timezone that applies. That is
/// the person's own, else that of their most recently used device, else the operator's default.
public final class StoredRecipientSettings implements RecipientSettings {
  private final SettingsStore store = new SettingsStore();
  private final DeviceTimezones devices;
  private final ZoneId defaultTimezone;

  public StoredRecipientSettings(DeviceTimezones devices, ZoneId defaultTimezone) {
    this.devices = devices;
    this.defaultTimezone = defaultTimezone;
  }

  @Override
  public Map<String, NotificationSettings> of(Tx tx, Collection<String> recipients)
      throws SQLException {
    Map<String, NotificationSettings> settings = new HashMap<>(store.read(tx, recipients));
    recipients.forEach(recipient -> settings.putIfAbsent(recipient, DEFAULTS));
    return complete(tx, settings);
  }

  /// Completes the settings of one recipient.
  NotificationSettings complete(Tx tx, String recipient, NotificationSettings settings)
      throws SQLException {
    return complete(tx, Map.of(recipient, settings)).getOrDefault(recipient, settings);
  }

  private Map<String, NotificationSettings> complete(
      Tx tx, Map<String, NotificationSettings> settings) throws SQLException {
    Map<String, ZoneId> zones = zonesOfDevices(tx, settings);
    Map<String, NotificationSettings> completed = HashMap.newHashMap(settings.size());
    settings.forEach(
        (recipient, own) ->
            completed.put(
                recipient,
                RecipientSettings.complete(own, zones.getOrDefault(recipient, defaultTimezone))));
    return completed;
  }

  private Map<String, ZoneId> zonesOfDevices(Tx tx, Map<String, NotificationSettings> settings)
      throws SQLException {
    List<String> withoutTimezone =
        settings.entrySet().stream()
            .filter(entry -> entry.getValue().getTimezone().isEmpty())
            .map(Map.Entry::getKey)
            .toList();
    return withoutTimezone.isEmpty() ? Map.of() : devices.of(tx, Set.copyOf(withoutTimezone));
  }
}
