package dev.torg.platform.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Delivers the events of some topics to a handler and commits their offsets after the effect.
///
/// One virtual thread polls and commits ([ConsumerSession]); each partition has another that handles
/// its events in order ([PartitionWorker]). A revoked partition finishes the batch in flight and
/// commits what is done before the next owner starts; a batch that takes too long is abandoned and
/// will be handled twice. After a fatal error of the Kafka client the loop starts over.
public final class ConsumerLoop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ConsumerLoop.class);
  private static final Duration FAILURE_RETRY_DELAY = Duration.ofSeconds(1);
  private static final Duration REPLAY_INTERVAL = Duration.ofSeconds(3);

  private final KafkaCluster kafka;
  private final ConsumerSpec spec;
  private final RetryThenPark handling;
  private final PartitionListener hook;
  private final ParkedEventStore parkedEvents;
  private final ConsumerMetrics metrics;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread polling;
  private final Thread replaying;
  private volatile ConsumerSession session;
  private volatile boolean paused;

  public ConsumerLoop(
      KafkaCluster kafka,
      ConsumerSpec spec,
      EventHandler handler,
      PartitionListener hook,
      ParkedEventStore parkedEvents,
      MeterRegistry registry) {
    this.kafka = kafka;
    this.spec = spec;
    this.hook = hook;
    this.parkedEvents = parkedEvents;
    this.metrics = new ConsumerMetrics(registry, spec);
    this.handling = new RetryThenPark(spec, handler, parkedEvents, metrics);
    this.session = newSession();
    this.polling = Thread.ofVirtual().name("consume-" + spec.name()).unstarted(this::consume);
    this.replaying = Thread.ofVirtual().name("replay-" + spec.name()).unstarted(this::replay);
  }

  public ConsumerLoop(
      KafkaCluster kafka,
      ConsumerSpec spec,
      EventHandler handler,
      ParkedEventStore parkedEvents,
      MeterRegistry registry) {
    this(kafka, spec, handler, PartitionListener.NONE, parkedEvents, registry);
  }

  /// A loop that was closed before it was started stays closed.
  public synchronized void start() {
    if (closing.getCount() > 0) {
      polling.start();
      replaying.start();
    }
  }

  /// Polls no more events until [#resumeAll], whichever partitions are assigned or revoked meanwhile; events already
  /// polled are still handled.
  public void pauseAll() {
    paused = true;
  }

  public void resumeAll() {
    paused = false;
  }

  /// Finishes the batches in flight, commits and leaves the group.
  @Override
  public void close() {
    if (!end()) {
      closeSession();
      return;
    }
    try {
      polling.join();
      replaying.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Whether threads are running that have to be joined.
  private synchronized boolean end() {
    closing.countDown();
    session.stop();
    return polling.getState() != Thread.State.NEW;
  }

  private ConsumerSession newSession() {
    return new ConsumerSession(kafka, spec, handling, hook, () -> paused, metrics);
  }

  private void consume() {
    while (closing.getCount() > 0) {
      try {
        session.run();
      } catch (RuntimeException e) {
        LOG.error("{} restarts after a fatal error", spec.name(), e);
      }
      restart();
    }
  }

  private void restart() {
    closeSession();
    boolean joined = false;
    while (!joined && sleep(FAILURE_RETRY_DELAY)) {
      joined = join();
    }
    if (joined && closing.getCount() == 0) {
      closeSession();
    }
  }

  /// A client cannot be created while the names of the brokers cannot be resolved.
  private boolean join() {
    try {
      session = newSession();
      return true;
    } catch (RuntimeException e) {
      LOG.error("{} cannot restart yet: {}", spec.name(), e.toString());
      return false;
    }
  }

  private void closeSession() {
    try {
      session.close();
    } catch (RuntimeException e) {
      LOG.warn("{} did not leave the group cleanly: {}", spec.name(), e.toString());
    }
  }

  /// Replays the requested parked events of the partitions assigned to this process.
  private void replay() {
    while (sleep(REPLAY_INTERVAL)) {
      try {
        for (ParkedEvent parkedEvent : parkedEvents.replayRequested(spec.name())) {
          if (session.holds(parkedEvent.event().topic(), parkedEvent.event().partition())) {
            handling.replay(parkedEvent);
          }
        }
      } catch (RuntimeException e) {
        LOG.warn("{} cannot replay parked events: {}", spec.name(), e.toString());
      }
    }
  }

  /// Returns false when the loop is closing.
  private boolean sleep(Duration time) {
    try {
      return !closing.await(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return false;
    }
  }
}
