package dev.torg.notifications.devices;

import dev.torg.platform.db.Database;
import dev.torg.platform.db.EachShard;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The devices of people. A device has one owner at a time although its row and its claim are in two homes
/// (docs/decisions/devices.md):
///
/// - A row without its owner's claim is not in use. Every read compares the two.
/// - A device is added by writing the row, then the claim; it is removed in the opposite order. So every claim has a
///   row, and a crash in between leaves a row that is not in use.
/// - Rows are deleted by their version, so a late deletion does not remove what was registered since.
public final class ClaimedDevices {
  /// A row whose claim is another person's is removed when it is found, but not while a registration may be about to
  /// claim it.
  private static final Duration MIN_UNCLAIMED_AGE = Duration.ofHours(1);

  private final Database database;
  private final InstantSource clock;
  private final DeviceStore rows = new DeviceStore();
  private final DeviceClaimStore claims = new DeviceClaimStore();

  public ClaimedDevices(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// The devices in use by these people, of each the one registered last first.
  public List<RegisteredDevice> of(Collection<String> owners) {
    List<RegisteredDevice> registered = rows(owners);
    List<RegisteredDevice> claimed = database.read(tx -> claimed(tx, registered));
    deleteOld(registered.stream().filter(device -> !claimed.contains(device)).toList());
    return claimed;
  }

  /// The same in a transaction.
  public List<RegisteredDevice> of(Tx tx, Collection<String> owners) throws SQLException {
    return claimed(tx, rows.read(tx, owners));
  }

  /// The claims are in other homes than the rows.
  private List<RegisteredDevice> claimed(Tx tx, List<RegisteredDevice> devices)
      throws SQLException {
    Map<String, String> claimedBy = claimedBy(tx, devices);
    return devices.stream()
        .filter(device -> device.owner().equals(claimedBy.get(device.id())))
        .toList();
  }

  /// The rows of these people, in use or not.
  List<RegisteredDevice> rows(Collection<String> owners) {
    return database.read(tx -> rows.read(tx, owners));
  }

  private Map<String, String> claimedBy(Tx tx, List<RegisteredDevice> devices) throws SQLException {
    return claims.owners(tx, devices.stream().map(RegisteredDevice::id).distinct().toList());
  }

  private void deleteOld(List<RegisteredDevice> unclaimed) {
    var old =
        unclaimed.stream()
            .filter(device -> device.usedAt().plus(MIN_UNCLAIMED_AGE).isBefore(clock.instant()))
            .toList();
    EachShard.run(
        database.shards().split(old, RegisteredDevice::home),
        part -> database.transact(tx -> rows.delete(tx, part)));
  }

  /// Gives the device, whose row was written, to its owner, and deletes the former owner's row.
  void claim(RegisteredDevice device) {
    DeviceClaim claim = new DeviceClaim(device.owner(), device.version());
    Optional<DeviceClaim> former = database.inTransaction(tx -> claims.put(tx, device.id(), claim));
    former
        .filter(other -> !other.owner().equals(device.owner()))
        .ifPresent(
            other ->
                database.transact(
                    tx -> rows.delete(tx, other.owner(), device.id(), other.version())));
  }

  /// Removes a device for its owner.
  void remove(RegisteredDevice device) {
    database.transact(tx -> claims.delete(tx, device.id(), device.owner()));
    deleteRow(device);
  }

  /// Removes a device of which the provider says that it does not exist any more, unless it was registered again since.
  public void removeGone(RegisteredDevice device) {
    DeviceClaim claim = new DeviceClaim(device.owner(), device.version());
    database.transact(tx -> claims.delete(tx, device.id(), claim));
    deleteRow(device);
  }

  /// Moves the devices of an identity that registers nothing any more. May be repeated, and run by several processes at
  /// once: a device that the new owner has removed since does not return, because it is no longer claimed.
  public void move(String from, String to) {
    List<RegisteredDevice> registered = rows(List.of(from));
    List<RegisteredDevice> claimed = database.read(tx -> claimed(tx, registered));
    claimed.forEach(device -> move(device, to));
    registered.forEach(this::deleteRow);
  }

  private void move(RegisteredDevice device, String to) {
    RegisteredDevice copy = device.ownedBy(to);
    database.transact(tx -> rows.put(tx, copy));
    boolean isClaimed =
        database.inTransaction(tx -> claims.move(tx, device.id(), device.owner(), to))
            || !database.read(tx -> claimed(tx, List.of(copy))).isEmpty();
    if (!isClaimed) {
      deleteRow(copy);
    }
  }

  private void deleteRow(RegisteredDevice device) {
    database.transact(tx -> rows.delete(tx, device.owner(), device.id(), device.version()));
  }
}
