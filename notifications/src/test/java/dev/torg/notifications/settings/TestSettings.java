package dev.torg.notifications.settings;

import java.time.ZoneOffset;

/// Settings of recipients without devices, in UTC unless they chose a timezone.
public final class TestSettings {
  private TestSettings() {}

  public static StoredRecipientSettings stored() {
    return new StoredRecipientSettings(DeviceTimezones.NONE, ZoneOffset.UTC);
  }
}
