package dev.torg.notifications.devices;

/// A valid request to register a device. Unknown parts are empty.
///
/// @param timezone an IANA name
record DeviceRegistration(
    DeviceAddress address, String platform, String appVersion, String timezone) {}
