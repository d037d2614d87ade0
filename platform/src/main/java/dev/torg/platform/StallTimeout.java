package dev.torg.platform;

import java.time.Duration;

/// How long a sender has been waited for. What comes drop by drop does not count as coming: a few such
/// senders would hold all places for good. For one thread that reads; others may look.
public final class StallTimeout {
  /// A sender who takes the whole time for less is as good as gone: at a minute, one kilobyte a second.
  private static final int MIN_PROGRESS_BYTES = 64 * 1024;

  private final long maxNanos;
  private volatile long waited;
  private int receivedBytes;

  public StallTimeout(Duration longest) {
    this.maxNanos = longest.toNanos();
  }

  /// Something came after a wait.
  public void received(int bytes, long nanos) {
    receivedBytes += bytes;
    if (receivedBytes >= MIN_PROGRESS_BYTES) {
      receivedBytes = 0;
      waited = 0;
    } else {
      waited += nanos;
    }
  }

  /// How much longer it lasts, in nanoseconds; below nothing when it is over.
  public long remaining() {
    return maxNanos - waited;
  }
}
