package dev.torg.platform.outbox;

import dev.torg.platform.lease.Step;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The rounds of one group: read, send, delete.
final class RelayStep implements Step {
  private static final Logger LOG = LoggerFactory.getLogger(RelayStep.class);

  private final RelayStore store;
  private final RelayProducer producer;
  private final Semaphore turn;
  private final RelayMeters meters;
  private final Duration poll;

  RelayStep(
      RelayStore store, RelayProducer producer, Semaphore turn, RelayMeters meters, Duration poll) {
    this.store = store;
    this.producer = producer;
    this.turn = turn;
    this.meters = meters;
    this.poll = poll;
    tellBlocked();
  }

  @Override
  public Duration run() throws InterruptedException {
    turn.acquire();
    try {
      return round();
    } finally {
      turn.release();
    }
  }

  private Duration round() {
    long start = System.nanoTime();
    List<OutboxMessage> oldest = store.oldest();
    if (oldest.isEmpty()) {
      return poll;
    }
    Map<OutboxMessage, String> refused = producer.send(oldest);
    if (!refused.isEmpty()) {
      LOG.warn("Kafka refuses {} events, such as {}", refused.size(), firstOf(refused));
      store.block(refused);
      tellBlocked();
      meters.refused(refused.size());
      return Duration.ZERO;
    }
    store.delete(oldest);
    tellBlocked();
    meters.sent(oldest.size(), Duration.ofNanos(System.nanoTime() - start));
    return RelayStore.isFull(oldest) ? Duration.ZERO : poll;
  }

  private static String firstOf(Map<OutboxMessage, String> refused) {
    Map.Entry<OutboxMessage, String> first = refused.entrySet().iterator().next();
    return "%s of %s: %s".formatted(first.getKey().key(), first.getKey().topic(), first.getValue());
  }

  private void tellBlocked() {
    meters.blocked(store.group(), store.blocked());
  }

  @Override
  public void close() {
    meters.blocked(store.group(), 0);
    producer.close();
  }
}
