package dev.torg.notifications.devices;

import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.platform.Home;
import java.time.Instant;

/// A device that a person registered. It is in use only while the person holds its claim.
///
/// @param version random, of the registration
/// @param usedAt when it was registered last
public record RegisteredDevice(
    String owner,
    String id,
    long version,
    DeviceAddress address,
    String platform,
    String appVersion,
    String timezone,
    Instant createdAt,
    Instant usedAt) {
  Home home() {
    return Home.of(owner);
  }

  public RegisteredDevice ownedBy(String other) {
    return new RegisteredDevice(
        other, id, version, address, platform, appVersion, timezone, createdAt, usedAt);
  }

  public DeliveryTarget target() {
    return switch (address.kind()) {
      case WEB_PUSH ->
          new DeliveryTarget.WebPush(
              id, appVersion, address.token(), address.publicKey(), address.authSecret());
      case APNS -> new DeliveryTarget.Apns(id, appVersion, address.token());
      case FCM -> new DeliveryTarget.Fcm(id, appVersion, address.token());
    };
  }
}
