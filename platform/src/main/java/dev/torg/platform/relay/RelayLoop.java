package dev.torg.platform.relay;

import dev.torg.platform.Backoff;
import dev.torg.platform.Failure;
import dev.torg.platform.lease.Lease;
import dev.torg.platform.lease.LeaseLost;
import dev.torg.platform.outbox.OutboxMessage;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The rounds of a process, one at a time: read, send, delete, for all groups that it holds. The
/// step that starts a round runs it for all groups; the other steps then have nothing left to send.
final class RelayLoop {
  private static final Logger LOG = LoggerFactory.getLogger(RelayLoop.class);

  /// This many rows indicate load. Then a round first waits a few times as long as the last one took: rows that
  /// gather meanwhile cost no further transaction, and disk and processors are left to the writers.
  private static final int MIN_ROWS_TO_GATHER = 50;

  private static final int GATHERING_ROUNDS = 3;
  private static final Duration MAX_GATHER_TIME = Duration.ofMillis(150);

  private final RelayStore store;
  private final ProducerFencing fencing;
  private final RelayMetrics metrics;
  private final Backoff poll;
  private final ReentrantLock roundLock = new ReentrantLock();

  /// By group. Accessed under the round lock only, as are the fields below.
  private final Map<Integer, RelayStep> steps = new TreeMap<>();

  private @Nullable RelayProducer producer;

  /// Whether rows of an abandoned send may still reach Kafka.
  private boolean failed;

  private Duration gathering = Duration.ZERO;

  /// Consecutive rounds that found nothing.
  private int idleRounds;

  RelayLoop(RelayStore store, ProducerFencing fencing, RelayMetrics metrics, Backoff poll) {
    this.store = store;
    this.fencing = fencing;
    this.metrics = metrics;
    this.poll = poll;
  }

  /// Fences the former holder before anything is read.
  RelayStep acquire(Lease lease) {
    long acquiredAt = System.nanoTime();
    store
        .sender(lease.group())
        .filter(former -> !former.equals(fencing.own()))
        .ifPresent(former -> fencing.fence(former, acquiredAt));
    int blocked = store.recordSender(lease, fencing.own());
    RelayStep step = new RelayStep(this, lease);
    roundLock.lock();
    try {
      steps.put(lease.group(), step);
      metrics.blocked(lease.group(), blocked);
    } finally {
      roundLock.unlock();
    }
    return step;
  }

  /// No event of the group is in flight when this returns, so the next holder has no producer to
  /// fence.
  void release(RelayStep step) {
    roundLock.lock();
    try {
      if (steps.remove(step.lease().group(), step)) {
        metrics.blocked(step.lease().group(), 0);
        clearSender(step.lease());
      }
      if (steps.isEmpty()) {
        closeProducer();
      }
    } finally {
      roundLock.unlock();
    }
  }

  private void clearSender(Lease lease) {
    if (failed) {
      return;
    }
    try {
      store.clearSender(lease, fencing.own());
    } catch (LeaseLost | Failure e) {
      LOG.debug("the next holder of group {} will fence this one", lease.group(), e);
    }
  }

  /// Returns how long to sleep.
  Duration run(RelayStep step) throws InterruptedException {
    roundLock.lockInterruptibly();
    try {
      if (!steps.containsValue(step)) {
        throw new LeaseLost(step.lease());
      }
      if (!step.lease().isValid()) {
        return Duration.ZERO;
      }
      if (step.hasWork() || step.sincePolled().compareTo(pollInterval()) >= 0) {
        round();
      }
      return pollInterval().minus(step.sincePolled());
    } finally {
      roundLock.unlock();
    }
  }

  private Duration pollInterval() {
    return poll.after(idleRounds);
  }

  private void round() {
    List<RelayStep> served = List.copyOf(steps.values());
    try {
      RelayProducer sender = producer();
      LockSupport.parkNanos(gathering.toNanos());
      long start = System.nanoTime();
      steps.values().forEach(RelayStep::markPolled);
      RelayStore.OutboxBatch outboxBatch = store.oldest(steps.keySet());
      if (!outboxBatch.messages().isEmpty()) {
        send(sender, outboxBatch.messages(), start);
      }
      idleRounds = outboxBatch.messages().isEmpty() ? idleRounds + 1 : 0;
      gathering = gathering(outboxBatch, Duration.ofNanos(System.nanoTime() - start));
      outboxBatch.more().forEach(this::wake);
    } catch (RuntimeException e) {
      failed = true;
      closeProducer();
      served.forEach(RelayStep::wake);
      throw e;
    }
  }

  private static Duration gathering(RelayStore.OutboxBatch outboxBatch, Duration elapsed) {
    if (outboxBatch.messages().size() < MIN_ROWS_TO_GATHER || !outboxBatch.more().isEmpty()) {
      return Duration.ZERO;
    }
    Duration pause = elapsed.multipliedBy(GATHERING_ROUNDS);
    return pause.compareTo(MAX_GATHER_TIME) < 0 ? pause : MAX_GATHER_TIME;
  }

  private void send(RelayProducer sender, List<OutboxMessage> oldest, long start) {
    Map<OutboxMessage, String> refused = sender.send(oldest);
    if (refused.isEmpty()) {
      dropLost(store.delete(leases(), oldest));
      metrics.sent(oldest.size(), Duration.ofNanos(System.nanoTime() - start));
    } else {
      LOG.warn("Kafka refuses {} events, such as {}", refused.size(), firstOf(refused));
      metrics.refused(refused.size());
      dropLost(store.block(leases(), refused));
      steps.values().forEach(RelayStep::wake);
    }
    steps.keySet().forEach(group -> metrics.blocked(group, store.blocked(group)));
  }

  /// A new producer fences this process's own former one; only then are the remaining leases checked, since a
  /// process that acquired one since then has fenced the former producer, or will fence the new one.
  private RelayProducer producer() {
    if (producer == null) {
      producer = fencing.newProducer();
      failed = false;
      dropLost(store.lost(leases()));
    }
    return producer;
  }

  private void closeProducer() {
    if (producer != null) {
      producer.close();
      producer = null;
    }
  }

  private Collection<Lease> leases() {
    return steps.values().stream().map(RelayStep::lease).toList();
  }

  /// Their steps detect it at their next run.
  private void dropLost(Set<Lease> lost) {
    if (!lost.isEmpty()) {
      LOG.info(
          "groups {} were taken over by other processes", lost.stream().map(Lease::group).toList());
      Set<Integer> groups = lost.stream().map(Lease::group).collect(Collectors.toSet());
      groups.forEach(this::wake);
      steps.keySet().removeAll(groups);
    }
  }

  private void wake(int group) {
    RelayStep step = steps.get(group);
    if (step != null) {
      step.wake();
    }
  }

  private static String firstOf(Map<OutboxMessage, String> refused) {
    Map.Entry<OutboxMessage, String> first = refused.entrySet().iterator().next();
    return "%s of %s: %s".formatted(first.getKey().key(), first.getKey().topic(), first.getValue());
  }
}
