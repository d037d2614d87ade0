package dev.torg.notifications.devices;

import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/// SQL over registered devices, in the homes of their owners. Registrations are written under the lock of the
/// owner's bell, so that they are counted. Deletions name the version of the row: a device that was registered again
/// stays.
final class DeviceStore {
  private static final String COLUMNS =
      """
      d.owner, d.device_id, d.version, d.kind, d.token, d.public_key, d.auth_secret, d.platform,
      d.app_version, d.timezone, d.created_at, d.used_at
      """;

  private static final BatchSql<String> READ =
      BatchColumns.<String>of(Home::of)
          .texts("owner", owner -> owner)
          .sql(
              """
              SELECT %s FROM :batch(k) JOIN device d ON d.home = k.home AND d.owner = k.owner
               WHERE :shard(d) ORDER BY d.owner, d.used_at DESC, d.device_id
              """
                  .formatted(COLUMNS));

  private static final String PUT =
      """
      INSERT INTO device (home, owner, device_id, version, kind, token, public_key, auth_secret,
                          platform, app_version, timezone, created_at, used_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (home, owner, device_id) DO UPDATE
        SET version = excluded.version, public_key = excluded.public_key,
            auth_secret = excluded.auth_secret, platform = excluded.platform,
            app_version = excluded.app_version, timezone = excluded.timezone,
            used_at = excluded.used_at
      """;

  private static final BatchSql<RegisteredDevice> DELETE =
      BatchColumns.of(RegisteredDevice::home)
          .texts("owner", RegisteredDevice::owner)
          .texts("device_id", RegisteredDevice::id)
          .longs("version", RegisteredDevice::version)
          .sql(
              """
              DELETE FROM device d USING :batch(k)
               WHERE d.home = k.home AND d.owner = k.owner AND d.device_id = k.device_id
                 AND d.version = k.version AND :shard(d)
              """);

  private static final String DELETE_VERSION =
      "DELETE FROM device WHERE home = ? AND owner = ? AND device_id = ? AND version = ?";

  /// Of each owner, the one registered last first.
  List<RegisteredDevice> read(Tx tx, Collection<String> owners) throws SQLException {
    return tx.sql(READ, List.copyOf(owners)).list(DeviceStore::device);
  }

  void put(Tx tx, RegisteredDevice device) throws SQLException {
    tx.sql(PUT)
        .set(device.home())
        .set(device.owner())
        .set(device.id())
        .set(device.version())
        .set(device.address().kind().name())
        .set(device.address().token())
        .set(device.address().publicKey())
        .set(device.address().authSecret())
        .set(device.platform())
        .set(device.appVersion())
        .set(device.timezone())
        .set(device.createdAt())
        .set(device.usedAt())
        .update();
  }

  /// The devices are of one shard.
  void delete(Tx tx, List<RegisteredDevice> devices) throws SQLException {
    tx.sql(DELETE, devices).update();
  }

  void delete(Tx tx, String owner, String id, long version) throws SQLException {
    tx.sql(DELETE_VERSION).set(Home.of(owner)).set(owner).set(id).set(version).update();
  }

  private static RegisteredDevice device(Row row) throws SQLException {
    DeviceAddress address =
        new DeviceAddress(
            DeviceKind.valueOf(row.textAt(4)), row.textAt(5), row.textAt(6), row.textAt(7));
    return new RegisteredDevice(
        row.textAt(1),
        row.textAt(2),
        row.longAt(3),
        address,
        row.textAt(8),
        row.textAt(9),
        row.textAt(10),
        row.instantAt(11),
        row.instantAt(12));
  }
}
