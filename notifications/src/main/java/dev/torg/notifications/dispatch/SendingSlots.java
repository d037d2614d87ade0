package dev.torg.notifications.dispatch;

import dev.torg.notifications.operation.OperationClaimer;
import dev.torg.notifications.operation.OperationClaimer.Allowance;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;

/// The messages of a channel that may be in flight at once. Slots are reserved before a claim, so no more is claimed than
/// can be sent. Campaigns leave a quarter of the slots to individual messages.
final class SendingSlots {
  /// Slots that campaigns may occupy, of four.
  private static final int BULK_QUARTERS = 3;

  private final int capacity;

  /// How many may be in flight now: 0 while a provider is not called, few while it is tried again.
  private final IntSupplier allowed;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private int inUse;

  SendingSlots(int capacity, IntSupplier allowed) {
    this.capacity = capacity;
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
          return new Allowance(0, 0);
        }
        nanos = changed.awaitNanos(nanos);
      }
      int total = Math.min(free(), OperationClaimer.MAX_OPERATIONS);
      int bulk = Math.clamp(freeForBulk(), 0, total);
      inUse += total;
      return new Allowance(total, bulk);
    } finally {
      lock.unlock();
    }
  }

  /// Waits a bounded time until a campaign may occupy a slot.
  void awaitBulk(Duration maxWait) throws InterruptedException {
    long nanos = maxWait.toNanos();
    lock.lockInterruptibly();
    try {
      while (freeForBulk() <= 0 && nanos > 0) {
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
        inUse -= slots;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
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
    return capacity * BULK_QUARTERS / 4 - inUse;
  }

  private int free() {
    return Math.min(capacity, allowed.getAsInt()) - inUse;
  }
}
