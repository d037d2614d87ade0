package dev.torg.notifications.bell;

import dev.torg.platform.Failure;
import java.util.Map;

/// An anonymous reader who has moved to a login changes nothing any more.
public final class MergedBellCheck {
  private MergedBellCheck() {}

  public static void refuse(Map<String, BellStore.LockedBell> rung) {
    for (BellStore.LockedBell bell : rung.values()) {
      if (bell.isMoved()) {
        throw Failure.conflict(
            "identity.moved", "this anonymous identity has moved to a login; use that");
      }
    }
  }
}
