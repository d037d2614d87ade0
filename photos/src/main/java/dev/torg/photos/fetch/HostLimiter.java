package dev.torg.photos.fetch;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Limits the concurrent fetches from one host. A caller that gets no permit within the timeout is assigned
/// a time slot for its retry. Slots are spaced at the rate at which the host responds, so that each of very
/// many photos is deferred about once. While slots are assigned, callers do not wait.
final class HostLimiter {
  /// Limits of the delay until a slot.
  private static final long MIN_RETRY_DELAY = TimeUnit.SECONDS.toNanos(10);

  private static final long MAX_RETRY_DELAY = TimeUnit.HOURS.toNanos(6);

  /// The last fetch counts for an eighth of the average duration.
  private static final int EWMA_WEIGHT = 8;

  private final int permits;
  private final Semaphore free;
  private long fetchNanos = TimeUnit.MILLISECONDS.toNanos(100);
  private long nextSlot = System.nanoTime();

  HostLimiter(int permits) {
    this.permits = permits;
    this.free = new Semaphore(permits);
  }

  void enter(Duration timeout) throws HostBusyException, InterruptedException {
    long wait = isCrowded() ? 0 : timeout.toNanos();
    if (!free.tryAcquire(wait, TimeUnit.NANOSECONDS)) {
      throw new HostBusyException(nextDelay());
    }
  }

  /// @param startNanos when the fetch acquired its permit
  synchronized void release(long startNanos) {
    fetchNanos += (System.nanoTime() - startNanos - fetchNanos) / EWMA_WEIGHT;
    free.release();
  }

  synchronized Duration nextDelay() {
    long now = System.nanoTime();
    long next = Math.max(nextSlot - now, MIN_RETRY_DELAY) + fetchNanos / permits;
    nextSlot = now + Math.min(next, MAX_RETRY_DELAY);
    return Duration.ofNanos(nextSlot - now);
  }

  private synchronized boolean isCrowded() {
    return nextSlot - System.nanoTime() > 0;
  }
}
