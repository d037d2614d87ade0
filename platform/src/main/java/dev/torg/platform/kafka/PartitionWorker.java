package dev.torg.platform.kafka;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Handles the events of one partition in order, on a virtual thread of its own. Events that arrive while a
/// batch is handled form the next batch, up to a number of events and of bytes. They are counted in the
/// process's [ConsumerMemory] until they are handled, or the worker has ended.
final class PartitionWorker {
  private static final Logger LOG = LoggerFactory.getLogger(PartitionWorker.class);

  /// Ends the wait of an idle worker that is stopped.
  private static final Event END = new Event("", 0, 0, "", 0, new byte[0], Instant.EPOCH, false);

  private final RetryThenPark handling;
  private final int batch;
  private final long maxBatchBytes;
  private final ConsumerMemory.Account memoryAccount;
  private final BlockingQueue<Event> waiting = new LinkedBlockingQueue<>();
  private final AtomicInteger backlog = new AtomicInteger();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread thread;
  private volatile CommittedPosition done;
  private volatile boolean failed;

  /// `done` is the committed position of the group.
  PartitionWorker(
      String name,
      RetryThenPark handling,
      int batch,
      CommittedPosition done,
      ConsumerMemory memory) {
    this.handling = handling;
    this.batch = batch;
    this.done = done;
    this.maxBatchBytes = memory.maxBatchBytes();
    this.memoryAccount = memory.open();
    this.thread = Thread.ofVirtual().name(name).start(this::work);
  }

  void add(List<Event> events) {
    backlog.addAndGet(events.size());
    memoryAccount.add(Event.bytes(events));
    waiting.addAll(events);
  }

  long heldBytes() {
    return memoryAccount.bytes();
  }

  /// True when the memory is full and this partition holds its share of it.
  boolean mustPause() {
    return memoryAccount.mustPause();
  }

  /// The number of events received and not handled yet.
  int backlog() {
    return backlog.get();
  }

  /// The position to commit: all events before it have had their effect.
  CommittedPosition done() {
    return done;
  }

  /// True when it ended with events in flight: the partition must be read again from its committed
  /// offset.
  boolean hasFailed() {
    return failed;
  }

  /// Starts no further batch and drops waiting events.
  void stop() {
    stopped.countDown();
    waiting.add(END);
  }

  /// Waits for the batch in flight; one that takes longer is abandoned, and its offsets stay uncommitted.
  void awaitEnd(Duration timeout) {
    try {
      thread.join(timeout);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void work() {
    try {
      while (stopped.getCount() > 0) {
        List<Event> events = next();
        if (!events.isEmpty() && handling.process(events, this::pause)) {
          done = done.and(events.getLast());
          backlog.addAndGet(-events.size());
          memoryAccount.release(Event.bytes(events));
        }
      }
    } catch (InterruptedException | RuntimeException | Error e) {
      LOG.error("{} ended", thread.getName(), e);
      failed = true;
    } finally {
      memoryAccount.close();
    }
  }

  /// Empty when it was stopped; only then is the end marker in the queue.
  private List<Event> next() throws InterruptedException {
    List<Event> events = new ArrayList<>();
    long bytes = 0;
    for (@Nullable Event event = waiting.take(); event != null; event = waiting.poll()) {
      events.add(event);
      bytes += event.bytes();
      if (events.size() == batch || bytes >= maxBatchBytes) {
        break;
      }
    }
    return stopped.getCount() > 0 ? events : List.of();
  }

  private boolean pause(Duration time) throws InterruptedException {
    return !stopped.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }
}
