package dev.torg.notifications.devices;

/// The owner of a device and the version of the registration by which the owner got it.
record DeviceClaim(String owner, long version) {}
