package dev.torg.notifications.push;

import dev.torg.notifications.SenderSettings.Apns;
import dev.torg.notifications.SenderSettings.Fcm;
import dev.torg.notifications.SenderSettings.Vapid;
import java.util.Objects;

/// Checks the keys of the push providers when the process starts. Each check fails with an IllegalArgumentException that
/// says what is wrong.
public final class PushKeys {
  private PushKeys() {}

  public static void check(Vapid vapid) {
    VapidTokens.check(vapid);
  }

  public static void check(Apns apns) {
    Objects.requireNonNull(ApnsProvider.signingKey(apns));
  }

  public static void check(Fcm fcm) {
    Objects.requireNonNull(ServiceAccount.read(fcm.credentials()));
  }
}
