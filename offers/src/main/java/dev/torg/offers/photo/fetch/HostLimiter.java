package dev.torg.offers.photo.fetch;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Few fetches at a time from one host. Whoever finds no place within a while is sent away with a turn:
/// turns follow each other at the pace at which the host answers, so that of very many photos each is
/// asked for about once more. While turns are given out nobody waits at the door.
final class HostLimiter {
  /// A turn is never sooner, nor later.
  private static final long MIN_RETRY_DELAY = TimeUnit.SECONDS.toNanos(10);

  private static final long MAX_RETRY_DELAY = TimeUnit.HOURS.toNanos(6);

  /// The last fetch counts for an eighth of the pace.
  private static final int EWMA_WEIGHT = 8;

  private final int places;
  private final Semaphore free;
  private long fetchNanos = TimeUnit.MILLISECONDS.toNanos(100);
  private long nextSlot = System.nanoTime();

  HostLimiter(int places) {
    this.places = places;
    this.free = new Semaphore(places);
  }

  void enter(Duration patience) throws HostBusyException, InterruptedException {
    long wait = isCrowded() ? 0 : patience.toNanos();
    if (!free.tryAcquire(wait, TimeUnit.NANOSECONDS)) {
      throw new HostBusyException(nextDelay());
    }
  }

  /// @param began when it entered
  synchronized void release(long began) {
    fetchNanos += (System.nanoTime() - began - fetchNanos) / EWMA_WEIGHT;
    free.release();
  }

  synchronized Duration nextDelay() {
    long now = System.nanoTime();
    long next = Math.max(nextSlot - now, MIN_RETRY_DELAY) + fetchNanos / places;
    nextSlot = now + Math.min(next, MAX_RETRY_DELAY);
    return Duration.ofNanos(nextSlot - now);
  }

  private synchronized boolean isCrowded() {
    return nextSlot - System.nanoTime() > 0;
  }
}
