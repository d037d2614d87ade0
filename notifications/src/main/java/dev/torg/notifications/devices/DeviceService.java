package dev.torg.notifications.devices;

import dev.torg.api.v1.RegisterDeviceRequest;
import dev.torg.notifications.bell.BellStore;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.net.PublicHostResolver;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/// What people do with their devices: register, list, remove. Blocks.
public final class DeviceService {
  /// More than a person uses; a push goes to all of them.
  static final int MAX_DEVICES = 20;

  /// Further registrations of the same person at the same time may take the place that was made.
  private static final int ATTEMPTS = 5;

  private static final SecureRandom RANDOM = new SecureRandom();

  private final Database database;
  private final InstantSource clock;
  private final DeviceValidator validator;
  private final ClaimedDevices devices;
  private final DeviceStore rows = new DeviceStore();
  private final BellStore bells = new BellStore();

  public DeviceService(
      Database database, ClaimedDevices devices, PublicHostResolver hosts, InstantSource clock) {
    this.database = database;
    this.devices = devices;
    this.clock = clock;
    this.validator = new DeviceValidator(hosts);
  }

  /// A further device replaces the one that was registered longest ago.
  public RegisteredDevice register(String owner, RegisterDeviceRequest request) {
    RegisteredDevice device = device(owner, validator.validate(request), now());
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      makeRoom(device);
      if (database.inTransaction(tx -> write(tx, device))) {
        devices.claim(device);
        return read(device);
      }
    }
    throw Failure.unavailable(
        "devices.busy", "too many devices are registered at once, try again", null);
  }

  private RegisteredDevice read(RegisteredDevice written) {
    return devices.rows(List.of(written.owner())).stream()
        .filter(device -> device.id().equals(written.id()))
        .findFirst()
        .orElse(written);
  }

  private static RegisteredDevice device(String owner, DeviceRegistration valid, Instant now) {
    return new RegisteredDevice(
        owner,
        valid.address().id(),
        RANDOM.nextLong(),
        valid.address(),
        valid.platform(),
        valid.appVersion(),
        valid.timezone(),
        now,
        now);
  }

  private void makeRoom(RegisteredDevice device) {
    devices.rows(List.of(device.owner())).stream()
        .filter(other -> !other.id().equals(device.id()))
        .skip(MAX_DEVICES - 1)
        .forEach(devices::remove);
  }

  /// Writes the row unless there are too many others.
  private boolean write(Tx tx, RegisteredDevice device) throws SQLException {
    lock(tx, device.owner());
    long others =
        rows.read(tx, List.of(device.owner())).stream()
            .filter(other -> !other.id().equals(device.id()))
            .count();
    if (others >= MAX_DEVICES) {
      return false;
    }
    rows.put(tx, device);
    return true;
  }

  public List<RegisteredDevice> list(String owner) {
    return devices.of(List.of(owner));
  }

  /// Removes the device with the id or token; exactly one of them is given.
  public void delete(String owner, String id, String token) {
    if (id.isEmpty() == token.isEmpty()) {
      throw Failure.invalid(
          "device.unclear", "state which device to remove", "id", "give exactly one of id, token");
    }
    database.transact(tx -> lock(tx, owner));
    devices.rows(List.of(owner)).stream()
        .filter(device -> device.id().equals(id) || device.address().hasToken(token))
        .forEach(devices::remove);
  }

  /// Fails if the owner has moved to a login.
  private void lock(Tx tx, String owner) throws SQLException {
    bells
        .lockAndAllocateIds(tx, Set.of(owner), EpochMicros.of(clock.instant()), 1)
        .values()
        .forEach(BellStore.LockedBell::requireNotMerged);
  }

  private Instant now() {
    return EpochMicros.instant(EpochMicros.of(clock.instant()));
  }
}
