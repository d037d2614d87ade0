package dev.torg.notifications.targets;

import dev.torg.notifications.Channel;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.DeliveryTarget.Device;
import dev.torg.notifications.channel.DeliveryTarget.Email;
import dev.torg.notifications.channel.DeliveryTarget.Phone;
import dev.torg.notifications.channel.DeliveryTarget.Webhook;
import dev.torg.notifications.channel.DeliveryTargets;
import dev.torg.notifications.contacts.ContactTargets;
import dev.torg.notifications.devices.ClaimedDevices;
import dev.torg.notifications.devices.RegisteredDevice;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Finds targets in the tables of devices and contacts.
///
/// Many persons are found with one statement for contacts, and two for devices, of which the second reads the claims in
/// the homes of the devices.
public final class StoredDeliveryTargets implements DeliveryTargets {
  private final Database database;
  private final ClaimedDevices devices;
  private final ContactTargets contacts;

  public StoredDeliveryTargets(Database database, ClaimedDevices devices, ContactTargets contacts) {
    this.database = database;
    this.devices = devices;
    this.contacts = contacts;
  }

  @Override
  public List<DeliveryTarget> find(String recipient, Channel channel) {
    if (channel == Channel.PUSH) {
      return devices.of(List.of(recipient)).stream().map(RegisteredDevice::target).toList();
    }
    var found = database.read(tx -> find(tx, List.of(recipient), channel));
    return Objects.requireNonNull(found.get(recipient));
  }

  /// Every person has an entry.
  @Override
  public Map<String, List<DeliveryTarget>> find(
      Tx tx, Collection<String> recipients, Channel channel) throws SQLException {
    Map<String, List<DeliveryTarget>> found = new HashMap<>();
    recipients.forEach(recipient -> found.put(recipient, new ArrayList<>()));
    if (channel == Channel.PUSH) {
      for (RegisteredDevice device : devices.of(tx, recipients)) {
        Objects.requireNonNull(found.get(device.owner())).add(device.target());
      }
    } else {
      contacts
          .find(tx, recipients, channel)
          .forEach((owner, target) -> Objects.requireNonNull(found.get(owner)).add(target));
    }
    return found;
  }

  @Override
  public void remove(String recipient, DeliveryTarget gone) {
    switch (gone) {
      case Device device ->
          devices.of(List.of(recipient)).stream()
              .filter(registered -> isSameAddress(registered.target(), device))
              .forEach(devices::removeGone);
      case Email _, Phone _, Webhook _ -> contacts.removeGone(recipient, gone);
    }
  }

  /// A new version of the app is no new address.
  private static boolean isSameAddress(DeliveryTarget registered, Device gone) {
    return switch (registered) {
      case DeliveryTarget.WebPush push ->
          new DeliveryTarget.WebPush(
                  push.deviceId(),
                  gone.appVersion(),
                  push.endpoint(),
                  push.publicKey(),
                  push.authSecret())
              .equals(gone);
      case DeliveryTarget.Apns apns ->
          new DeliveryTarget.Apns(apns.deviceId(), gone.appVersion(), apns.token()).equals(gone);
      case DeliveryTarget.Fcm fcm ->
          new DeliveryTarget.Fcm(fcm.deviceId(), gone.appVersion(), fcm.token()).equals(gone);
      case Email _, Phone _, Webhook _ -> false;
    };
  }
}
