package dev.torg.notifications.merge;

import dev.torg.notifications.bell.BellMergeStore;
import dev.torg.notifications.contacts.ContactTargets;
import dev.torg.notifications.devices.ClaimedDevices;
import dev.torg.platform.db.Database;
import java.time.InstantSource;

/// Moves the devices and contacts of an anonymous identity to a login. The anonymous bell is closed first, if it is not
/// yet: then nothing more is registered. There are at most a few dozen rows, so they are one page.
public final class DevicesMerge {
  private final Database database;
  private final BellMergeStore bells;
  private final ClaimedDevices devices;
  private final ContactTargets contacts;

  public DevicesMerge(
      Database database, ClaimedDevices devices, ContactTargets contacts, InstantSource clock) {
    this.database = database;
    this.devices = devices;
    this.contacts = contacts;
    this.bells = new BellMergeStore(clock);
  }

  /// Moves everything and returns false: there is one page. It may be repeated after a crash and run by several
  /// processes at once. Blocks.
  public boolean page(String anonymous, String login) {
    var _ = database.inTransaction(tx -> bells.seal(tx, anonymous, login));
    devices.move(anonymous, login);
    contacts.move(anonymous, login);
    return false;
  }
}
