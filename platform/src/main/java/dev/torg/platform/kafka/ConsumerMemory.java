package dev.torg.platform.kafka;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// The memory for events that all consumers of a process have received and not handled yet. Events
/// are of 200 bytes or 100 kB, so their number alone bounds nothing.
///
/// **Rule.** While less than the maximum is held, every partition may receive more. At the maximum, a
/// partition that holds its equal share or more is paused until something is handled. A partition that
/// holds less is not paused, so that a partition or consumer whose handler is blocked cannot stop the others,
/// and a single event larger than the maximum is still received. The maximum may be exceeded by what one poll
/// of each consumer returns, which [#maxPollRecords] and [#maxFetchBytes] bound.
public final class ConsumerMemory {
  private static final long MEGABYTE = 1L << 20;

  /// A sixteenth of the heap: handlers decode events to several times their size.
  private static final int HEAP_SHARE = 16;

  private static final long MIN_BYTES = 8 * MEGABYTE;
  private static final long MAX_BYTES = 512 * MEGABYTE;

  /// The largest event that is common: an offer with a full description.
  private static final long LARGE_EVENT_BYTES = 128 * 1024;

  /// What the relay's producer sends as one batch: less would not fetch a whole one.
  private static final long MIN_FETCH_BYTES = 512 * 1024;

  private final long maxBytes;
  private final AtomicLong held = new AtomicLong();
  private final AtomicInteger partitions = new AtomicInteger();

  public ConsumerMemory(long maxBytes) {
    if (maxBytes < 1) {
      throw new IllegalArgumentException("maxBytes must be positive");
    }
    this.maxBytes = maxBytes;
  }

  /// For this process's heap.
  public static ConsumerMemory defaults() {
    return new ConsumerMemory(ofHeap(Runtime.getRuntime().maxMemory()));
  }

  static long ofHeap(long heapBytes) {
    return Math.clamp(heapBytes / HEAP_SHARE, MIN_BYTES, MAX_BYTES);
  }

  long maxBytes() {
    return maxBytes;
  }

  /// Held by all partitions of all consumers.
  long heldBytes() {
    return held.get();
  }

  /// Bytes of one batch that a partition's worker gives to its handler, at least one event.
  long maxBatchBytes() {
    return Math.clamp(maxBytes / 8, MEGABYTE, 4 * MEGABYTE);
  }

  /// Bytes that a broker sends in one response, at least one batch of records.
  int maxFetchBytes() {
    return (int) Math.clamp(maxBytes / 8, MEGABYTE, 16 * MEGABYTE);
  }

  /// Of these for one partition.
  int maxPartitionFetchBytes() {
    return (int) Math.clamp(maxBytes / 32, MIN_FETCH_BYTES, MEGABYTE);
  }

  /// Records are compressed on the wire, so fetched bytes do not bound what a poll returns.
  int maxPollRecords() {
    return (int) Math.clamp(maxBytes / LARGE_EVENT_BYTES, 50, 1_000);
  }

  /// For a partition that was assigned.
  Account open() {
    partitions.incrementAndGet();
    return new Account();
  }

  /// What one partition holds. After it is closed nothing is counted any more.
  final class Account implements AutoCloseable {
    private long bytes;
    private boolean closed;

    synchronized void add(long more) {
      if (!closed) {
        bytes += more;
        held.addAndGet(more);
      }
    }

    void release(long less) {
      add(-less);
    }

    synchronized long bytes() {
      return bytes;
    }

    synchronized boolean mustPause() {
      return held.get() >= maxBytes && bytes > 0 && bytes >= maxBytes / partitions.get();
    }

    @Override
    public synchronized void close() {
      if (!closed) {
        closed = true;
        held.addAndGet(-bytes);
        partitions.decrementAndGet();
      }
    }
  }
}
