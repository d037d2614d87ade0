package dev.torg.notifications.devices;

/// The provider through which a device receives pushes, with the platform of the app. The names are those of the API.
public enum DeviceKind {
  WEB_PUSH("web"),
  APNS("ios"),
  FCM("android");

  private final String platform;

  DeviceKind(String platform) {
    this.platform = platform;
  }

  String platform() {
    return platform;
  }
}
