package dev.torg.platform;

import java.time.Duration;

/// Measures how long a sender has stalled. Progress below a minimum does not count: a few senders that trickle
/// bytes would occupy all slots for good. One thread reads; other threads may query.
public final class StallTimeout {
  /// A sender that needs the whole timeout for less is considered stalled: at a minute, one kilobyte a second.
  private static final int MIN_PROGRESS_BYTES = 64 * 1024;

  private final long maxNanos;
  private volatile long waited;
  private int receivedBytes;

  public StallTimeout(Duration longest) {
    this.maxNanos = longest.toNanos();
  }

  /// Bytes arrived after a wait.
  public void received(int bytes, long nanos) {
    receivedBytes += bytes;
    if (receivedBytes >= MIN_PROGRESS_BYTES) {
      receivedBytes = 0;
      waited = 0;
    } else {
      waited += nanos;
    }
  }

  /// The remaining time in nanoseconds; negative when it has expired.
  public long remaining() {
    return maxNanos - waited;
  }
}
