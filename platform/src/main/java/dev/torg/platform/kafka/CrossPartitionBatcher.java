package dev.torg.platform.kafka;

import dev.torg.platform.KeyBackoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Merges the events that several partitions deliver while a call is running into the next call: for effects
/// whose cost is the transaction or the forced write, not the event. Each partition keeps its order, as its
/// worker waits for its own share.
///
/// When a shared call fails, by an exception or an error, each partition handles its own share separately: one
/// partition's poison event does not affect the others. A partition whose own share fails is excluded from
/// shared calls for a while ([KeyBackoff]), and a single event that is retried never joins a shared call. So a
/// row that stays locked, or a poison event, costs the other partitions one failed call and not one for every
/// retry.
public final class CrossPartitionBatcher implements EventHandler {
  private static final Logger LOG = LoggerFactory.getLogger(CrossPartitionBatcher.class);

  /// A shared call takes no further share once it has this many events, or bytes. A share is never divided, so
  /// a call may exceed the bounds by one share.
  private static final int MAX_BATCH_EVENTS = 2_000;

  private static final long MAX_BATCH_BYTES = 8L << 20;

  /// How long a partition is excluded after its own share failed, at first and at most.
  private static final Duration MIN_EXCLUSION_TIME = Duration.ofSeconds(1);

  private static final Duration MAX_EXCLUSION_TIME = Duration.ofSeconds(30);

  private final EventHandler handler;
  private final KeyBackoff<Partition> exclusions;
  private final ReentrantLock batchLock = new ReentrantLock();
  private final Queue<Share> waiting = new ConcurrentLinkedQueue<>();

  public CrossPartitionBatcher(EventHandler handler) {
    this(handler, System::nanoTime);
  }

  CrossPartitionBatcher(EventHandler handler, LongSupplier nanos) {
    this.handler = handler;
    this.exclusions = new KeyBackoff<>(MIN_EXCLUSION_TIME, MAX_EXCLUSION_TIME, nanos);
  }

  private record Partition(String topic, int number) {
    static Partition of(Event event) {
      return new Partition(event.topic(), event.partition());
    }
  }

  private enum State {
    WAITING,
    DONE,
    SEPARATE
  }

  /// The events of one partition. Its state is accessed under the lock only.
  private static final class Share {
    private final List<Event> events;
    private State state = State.WAITING;

    private Share(List<Event> events) {
      this.events = events;
    }
  }

  @Override
  public void handle(List<Event> events) throws Exception {
    if (!isClear(events) || mustHandleSeparately(events)) {
      handleSeparately(events);
    }
  }

  @Override
  public void handleSingle(Event event) throws Exception {
    handleOwn(List.of(event));
  }

  private boolean isClear(List<Event> events) {
    return exclusions.state(Partition.of(events.getFirst())) == KeyBackoff.State.CLEAR;
  }

  /// Handling a whole batch ends the exclusion; a single event of it does not.
  private void handleSeparately(List<Event> events) throws Exception {
    handleOwn(events);
    exclusions.succeeded(Partition.of(events.getFirst()));
  }

  private void handleOwn(List<Event> events) throws Exception {
    try {
      handler.handle(events);
    } catch (Exception | Error e) {
      exclusions.failed(Partition.of(events.getFirst()));
      throw e;
    }
  }

  /// Whether the events must be handled separately from other partitions.
  private boolean mustHandleSeparately(List<Event> events) throws Exception {
    Share own = new Share(events);
    waiting.add(own);
    try {
      batchLock.lockInterruptibly();
    } catch (InterruptedException e) {
      waiting.remove(own);
      throw e;
    }
    try {
      while (own.state == State.WAITING) {
        handleWaiting(own);
      }
      return own.state == State.SEPARATE;
    } finally {
      batchLock.unlock();
    }
  }

  /// Every share of the call has an outcome afterwards, whatever was thrown. A share that is alone
  /// receives its own failure.
  private void handleWaiting(Share own) throws Exception {
    List<Share> shares = nextShares();
    State outcome = State.SEPARATE;
    try {
      if (shares.size() == 1 && shares.getFirst() == own) {
        handleOwn(own.events);
        outcome = State.DONE;
      } else if (isHandled(shares)) {
        outcome = State.DONE;
      }
    } finally {
      for (Share share : shares) {
        share.state = outcome;
      }
    }
  }

  private List<Share> nextShares() {
    List<Share> shares = new ArrayList<>();
    int events = 0;
    long bytes = 0;
    for (Share share = waiting.poll(); share != null; share = waiting.poll()) {
      shares.add(share);
      events += share.events.size();
      bytes += Event.bytes(share.events);
      if (events >= MAX_BATCH_EVENTS || bytes >= MAX_BATCH_BYTES) {
        break;
      }
    }
    return shares;
  }

  private boolean isHandled(List<Share> shares) throws InterruptedException {
    try {
      handler.handle(shares.stream().flatMap(share -> share.events.stream()).toList());
      return true;
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception | Error e) {
      LOG.warn("{} partitions handle their events separately: {}", shares.size(), e.toString());
      return false;
    }
  }
}
