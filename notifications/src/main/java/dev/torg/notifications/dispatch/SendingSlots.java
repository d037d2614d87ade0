package dev.torg.notifications.dispatch;

import dev.torg.notifications.operation.OperationClaimer;
import dev.torg.notifications.operation.OperationClaimer.Allowance;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;

/// The messages of a channel that may be in flight at once. Slots are reserved before a claim, so no more is claimed than
/// can be sent. Campaigns leave a quarter of the slots to individual messages.
///
/// A claim of a few messages costs the database nearly as much as one of hundreds. While all slots are in use, those that
/// become free are therefore gathered: for a short time until there are enough for a claim, and for campaigns until there
/// are enough. Where slots are free, nothing waits.
final class SendingSlots {
  /// Slots that campaigns may occupy, of four.
  private static final int BULK_QUARTERS = 3;

  /// The part of the slots that is enough for a claim.
  private static final int CLAIM_EIGHTHS = 1;

  /// Individual messages wait no longer for further slots than this. Many groups of homes gather at once, so in a shorter
  /// time each would find few.
  private static final Duration MAX_GATHER_TIME = Duration.ofMillis(100);

  private static final Allowance NONE = new Allowance(0, 0);

  private final int capacity;

  /// Slots that are enough for a claim.
  private final int enough;

  /// How many may be in flight now: 0 while a provider is not called, few while it is tried again.
  private final IntSupplier allowed;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private int inUse;

  SendingSlots(int capacity, IntSupplier allowed) {
    this.capacity = capacity;
    this.enough = Math.clamp(capacity * CLAIM_EIGHTHS / 8, 1, OperationClaimer.MAX_OPERATIONS);
    this.allowed = allowed;
  }

  int inUse() {
    lock.lock();
    try {
      return inUse;
    } finally {
      lock.unlock();
    }
  }

  /// Whether messages may be sent at all.
  boolean isOpen() {
    return allowed.getAsInt() > 0;
  }

  /// Reserves as many slots as there are, at most those of a claim; waits a bounded time for the first one. A total of 0
  /// means that none became free.
  Allowance reserve(Duration maxWait) throws InterruptedException {
    long nanos = maxWait.toNanos();
    lock.lockInterruptibly();
    try {
      while (free() <= 0) {
        if (nanos <= 0) {
          return NONE;
        }
        nanos = changed.awaitNanos(nanos);
      }
      gather(Math.min(nanos, MAX_GATHER_TIME.toNanos()));
      return reserveFree();
    } finally {
      lock.unlock();
    }
  }

  private void gather(long maxNanos) throws InterruptedException {
    long nanos = maxNanos;
    while (free() < enough && nanos > 0) {
      nanos = changed.awaitNanos(nanos);
    }
  }

  private Allowance reserveFree() {
    int total = Math.clamp(free(), 0, OperationClaimer.MAX_OPERATIONS);
    int bulk = freeForBulk() < enough ? 0 : Math.min(freeForBulk(), total);
    inUse += total;
    return new Allowance(total, bulk);
  }

  /// Waits a bounded time until campaigns may occupy enough slots for a claim.
  void awaitBulk(Duration maxWait) throws InterruptedException {
    long nanos = maxWait.toNanos();
    lock.lockInterruptibly();
    try {
      while (freeForBulk() < enough && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
    } finally {
      lock.unlock();
    }
  }

  /// @param slots negative: more messages were claimed than slots were reserved
  void release(int slots) {
    if (slots != 0) {
      lock.lock();
      try {
        int before = inUse;
        inUse -= slots;
        int limit = Math.min(capacity, allowed.getAsInt());
        if (exceeds(limit - before, limit - inUse, 0)
            || exceeds(limit - before, limit - inUse, enough - 1)
            || exceeds(bulkCapacity() - before, freeForBulk(), enough - 1)) {
          changed.signalAll();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /// Whether a number has come to exceed a limit: what waits is woken for this, and not for every message that was sent.
  private static boolean exceeds(int before, int after, int limit) {
    return before <= limit && after > limit;
  }

  /// A provider is called again.
  void wake() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private int freeForBulk() {
    return bulkCapacity() - inUse;
  }

  private int bulkCapacity() {
    return capacity * BULK_QUARTERS / 4;
  }

  private int free() {
    return Math.min(capacity, allowed.getAsInt()) - inUse;
  }
}
