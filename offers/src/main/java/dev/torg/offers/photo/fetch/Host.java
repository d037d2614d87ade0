package dev.torg.offers.photo.fetch;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Few fetches at a time from one host. Whoever finds no place within a while is sent away with a turn:
/// turns follow each other at the pace at which the host answers, so that of very many photos each is
/// asked for about once more. While turns are given out nobody waits at the door.
final class Host {
  /// A turn is never sooner, nor later.
  private static final long SOONEST = TimeUnit.SECONDS.toNanos(10);

  private static final long LATEST = TimeUnit.HOURS.toNanos(6);

  /// The last fetch counts for an eighth of the pace.
  private static final int MEMORY = 8;

  private final int places;
  private final Semaphore free;
  private long fetchNanos = TimeUnit.MILLISECONDS.toNanos(100);
  private long lastTurn = System.nanoTime();

  Host(int places) {
    this.places = places;
    this.free = new Semaphore(places);
  }

  void enter(Duration patience) throws Busy, InterruptedException {
    long wait = isCrowded() ? 0 : patience.toNanos();
    if (!free.tryAcquire(wait, TimeUnit.NANOSECONDS)) {
      throw new Busy(turn());
    }
  }

  /// @param began when it entered
  synchronized void leave(long began) {
    fetchNanos += (System.nanoTime() - began - fetchNanos) / MEMORY;
    free.release();
  }

  synchronized Duration turn() {
    long now = System.nanoTime();
    long next = Math.max(lastTurn - now, SOONEST) + fetchNanos / places;
    lastTurn = now + Math.min(next, LATEST);
    return Duration.ofNanos(lastTurn - now);
  }

  private synchronized boolean isCrowded() {
    return lastTurn - System.nanoTime() > 0;
  }
}
