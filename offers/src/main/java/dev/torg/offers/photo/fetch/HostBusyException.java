package dev.torg.offers.photo.fetch;

import java.time.Duration;

/// Others are being fetched from the same host, or altogether too many: come again. No attempt was made.
public final class HostBusyException extends Exception {
  private static final long serialVersionUID = 1;

  private final Duration after;

  HostBusyException(Duration after) {
    super("busy", null, false, false);
    this.after = after;
  }

  /// When its turn will be, as far as one can tell.
  public Duration after() {
    return after;
  }
}
