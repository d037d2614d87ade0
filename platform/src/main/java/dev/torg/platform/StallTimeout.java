package dev.torg.platform;

import java.time.Duration;

/// Measures how long a sender has stalled. Progress below a minimum does not count: otherwise a few
/// senders that trickle bytes could occupy all slots indefinitely. One thread reads; other threads
/// may query.
public final class StallTimeout {
  /// A sender that delivers less than this within the timeout counts as stalled: at a minute, one
  /// kilobyte a second.
  private static final int MIN_PROGRESS_BYTES = 64 * 1024;

  private final long maxNanos;
  private volatile long waited;
  private int receivedBytes;

  public StallTimeout(Duration timeout) {
    this.maxNanos = timeout.toNanos();
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
