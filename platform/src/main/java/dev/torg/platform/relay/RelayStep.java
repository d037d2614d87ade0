package dev.torg.platform.relay;

import dev.torg.platform.lease.Lease;
import dev.torg.platform.lease.LeaseStep;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/// One group's part in the rounds of its process.
final class RelayStep implements LeaseStep {
  private final RelayLoop loop;
  private final Lease lease;

  /// Whether there may be rows that no round has polled. Cleared before a round polls.
  private final AtomicBoolean hasWork = new AtomicBoolean(true);

  /// When a round polled last. Accessed by rounds only.
  private long polledAt;

  RelayStep(RelayLoop loop, Lease lease) {
    this.loop = loop;
    this.lease = lease;
  }

  Lease lease() {
    return lease;
  }

  void wake() {
    hasWork.set(true);
    lease.wake();
  }

  boolean hasWork() {
    return hasWork.get();
  }

  Duration sincePolled() {
    return Duration.ofNanos(System.nanoTime() - polledAt);
  }

  void markPolled() {
    hasWork.set(false);
    polledAt = System.nanoTime();
  }

  @Override
  public Duration run() throws InterruptedException {
    return loop.run(this);
  }

  @Override
  public void close() {
    loop.release(this);
  }
}
