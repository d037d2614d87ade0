package dev.torg.platform.coalesce;

import dev.torg.platform.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A queue and the workers that empty it in batches, first come first served.
///
/// **Wake-up.** A worker that finds nothing sets its idle flag, polls once more, and parks. A producer adds its
/// item first and reads the flags second. As both are volatile, either the worker sees the item or the producer
/// sees the flag: no wake-up is lost, and a busy worker costs the producer one read.
///
/// **Permits** bound the batches that run concurrently over all lanes of a coalescer. They are handed out in
/// order, and a batch is taken from the queue only once its permit is acquired, so that it grows while it
/// waits.
///
/// **Gathering.** After a large batch a worker waits for a fraction of the time that the batch took, so that its
/// callers' next requests form a large batch again ([GatherTime]).
final class Lane<E> {
  private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

  /// How often a stopping worker polls for the last items.
  private static final Duration DRAIN_POLL_INTERVAL = Duration.ofMillis(1);

  private final Queue<E> waiting = new ConcurrentLinkedQueue<>();
  private final List<Worker> workers = new ArrayList<>();
  private final AtomicInteger size = new AtomicInteger();
  private final Backlog backlog;
  private final Function<? super E, @Nullable String> caller;
  private final Semaphore permits;
  private final int maxBatch;
  private final Consumer<List<E>> run;

  Lane(
      Backlog backlog,
      Function<? super E, @Nullable String> caller,
      Semaphore permits,
      int maxBatch,
      Consumer<List<E>> run) {
    this.backlog = backlog;
    this.caller = caller;
    this.permits = permits;
    this.maxBatch = maxBatch;
    this.run = run;
  }

  /// Called before the first item.
  void start(int workerCount, Thread.Builder threads) {
    for (int i = 0; i < workerCount; i++) {
      workers.add(new Worker(threads));
    }
    workers.forEach(worker -> worker.thread.start());
  }

  /// Returns why the backlog rejected the item, if it did.
  @Nullable Failure add(E item) {
    Failure refused = backlog.tryAdmit(size, caller.apply(item));
    if (refused == null) {
      waiting.add(item);
      wakeOne();
    }
    return refused;
  }

  private void wakeOne() {
    for (int i = 0; i < workers.size(); i++) {
      if (workers.get(i).wake()) {
        return;
      }
    }
  }

  /// The backlog has been closed: waits until the last batch has run.
  void awaitEnd() {
    workers.forEach(Worker::wake);
    for (Worker worker : workers) {
      join(worker.thread);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Worker {
    private final AtomicBoolean idle = new AtomicBoolean();
    private final Thread thread;
    private int lastSize;
    private long lastNanos;
    private long lastEnd;

    Worker(Thread.Builder threads) {
      thread = threads.unstarted(this::work);
    }

    boolean wake() {
      boolean woken = idle.get() && idle.compareAndSet(true, false);
      if (woken) {
        LockSupport.unpark(thread);
      }
      return woken;
    }

    private void work() {
      while (!backlog.isDrained()) {
        if (waiting.isEmpty()) {
          awaitItem();
        } else {
          runNext();
        }
      }
    }

    private void awaitItem() {
      if (backlog.isClosed()) {
        LockSupport.parkNanos(DRAIN_POLL_INTERVAL.toNanos());
        return;
      }
      idle.set(true);
      if (!waiting.isEmpty() || backlog.isClosed()) {
        idle.set(false);
        return;
      }
      while (idle.get()) {
        LockSupport.park(this);
      }
    }

    private void runNext() {
      permits.acquireUninterruptibly();
      try {
        gather();
        List<E> batch = takeBatch();
        if (!batch.isEmpty()) {
          long startNanos = System.nanoTime();
          run.accept(batch);
          lastEnd = System.nanoTime();
          lastNanos = lastEnd - startNanos;
        }
        lastSize = batch.size();
      } catch (Throwable e) {
        LOG.error("a batch failed without completing its callers", e);
      } finally {
        permits.release();
      }
    }

    private void gather() {
      long nanosSince = System.nanoTime() - lastEnd;
      LockSupport.parkNanos(
          GatherTime.nanos(lastSize, lastNanos, nanosSince, backlog.size(), maxBatch));
    }

    private List<E> takeBatch() {
      List<E> batch = new ArrayList<>();
      for (E item = waiting.poll(); item != null; item = waiting.poll()) {
        batch.add(item);
        backlog.release(size, caller.apply(item));
        if (batch.size() == maxBatch) {
          break;
        }
      }
      return batch;
    }
  }
}
