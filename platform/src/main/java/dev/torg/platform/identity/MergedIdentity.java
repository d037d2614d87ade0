package dev.torg.platform.identity;

import dev.torg.platform.Failure;

/// The failure of every change by an anonymous identity that was merged into a login.
public final class MergedIdentity {
  private MergedIdentity() {}

  public static Failure failure() {
    return Failure.conflict(
        "identity.moved", "this anonymous identity has moved to a login; use the login");
  }
}
