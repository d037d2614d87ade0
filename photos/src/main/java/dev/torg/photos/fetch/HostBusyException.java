package dev.torg.photos.fetch;

import java.time.Duration;

/// Too many fetches are in flight, from the same host or altogether. No attempt was made.
public final class HostBusyException extends Exception {
  private static final long serialVersionUID = 1;

  private final Duration after;

  HostBusyException(Duration after) {
    super("busy", null, false, false);
    this.after = after;
  }

  /// The estimated delay until the fetch can be made.
  public Duration after() {
    return after;
  }
}
