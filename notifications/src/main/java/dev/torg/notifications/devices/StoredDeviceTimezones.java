package dev.torg.notifications.devices;

import dev.torg.notifications.settings.DeviceTimezones;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.ZoneId;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/// The timezones of the devices that people registered last. A device that another person has registered since counts
/// until its row is removed.
public final class StoredDeviceTimezones implements DeviceTimezones {
  private final DeviceStore rows = new DeviceStore();

  @Override
  public Map<String, ZoneId> of(Tx tx, Collection<String> recipients) throws SQLException {
    Map<String, ZoneId> zones = new HashMap<>();
    for (RegisteredDevice device : rows.read(tx, recipients)) {
      if (!device.timezone().isEmpty()) {
        zones.putIfAbsent(device.owner(), ZoneId.of(device.timezone()));
      }
    }
    return zones;
  }
}
