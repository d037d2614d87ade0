package dev.torg.notifications.settings;

import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.ZoneId;
import java.util.Collection;
import java.util.Map;

/// Finds the timezones of recipients' devices.
@FunctionalInterface
public interface DeviceTimezones {
  /// No devices.
  DeviceTimezones NONE = (_, _) -> Map.of();

  /// The timezone of the most recently used device of those recipients who have a device with one. Of a page of
  /// recipients at once, of one shard.
  Map<String, ZoneId> of(Tx tx, Collection<String> recipients) throws SQLException;
}
