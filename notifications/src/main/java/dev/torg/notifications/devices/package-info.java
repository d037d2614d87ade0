/// The devices that people registered for pushes.
///
/// [DeviceService][dev.torg.notifications.devices.DeviceService] registers, lists and removes them;
/// [ClaimedDevices][dev.torg.notifications.devices.ClaimedDevices] finds those in use and ensures that a device has one
/// owner at a time.
@NullMarked
package dev.torg.notifications.devices;

import org.jspecify.annotations.NullMarked;
