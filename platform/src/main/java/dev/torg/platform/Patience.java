package dev.torg.platform;

import java.time.Duration;

/// How long a sender has been waited for. What comes drop by drop does not count as coming: a few such
/// senders would hold all places for good. For one thread that reads; others may look.
public final class Patience {
  /// A sender who takes the whole time for less is as good as gone: at a minute, one kilobyte a second.
  private static final int ENOUGH = 64 * 1024;

  private final long longest;
  private volatile long waited;
  private int come;

  public Patience(Duration longest) {
    this.longest = longest.toNanos();
  }

  /// Something came after a wait.
  public void came(int bytes, long nanos) {
    come += bytes;
    if (come >= ENOUGH) {
      come = 0;
      waited = 0;
    } else {
      waited += nanos;
    }
  }

  /// How much longer it lasts, in nanoseconds; below nothing when it is over.
  public long left() {
    return longest - waited;
  }
}
