package dev.torg.platform.topics;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings the events of some topics to a handler and commits their offsets after the effect.
///
/// One virtual thread polls and commits ([ConsumerSession]); each partition has another that handles
/// its events in order ([PartitionWorker]). A partition that is taken away finishes the batch in
/// hand, and what is done is committed before the next owner starts; a batch that takes too long is
/// abandoned and will be seen twice. When Kafka fails the loop for good it starts over.
public final class ConsumerLoop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ConsumerLoop.class);
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);
  private static final Duration REPLAY_INTERVAL = Duration.ofSeconds(3);

  private final Kafka kafka;
  private final ConsumerSpec spec;
  private final HandleOrPark handling;
  private final PartitionHook hook;
  private final Parked parked;
  private final ConsumerMeters meters;
  private final PartitionPauses pauses = new PartitionPauses();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread polling;
  private final Thread replaying;
  private volatile ConsumerSession session;

  public ConsumerLoop(
      Kafka kafka,
      ConsumerSpec spec,
      EventHandler handler,
      PartitionHook hook,
      Parked parked,
      MeterRegistry registry) {
    this.kafka = kafka;
    this.spec = spec;
    this.hook = hook;
    this.parked = parked;
    this.meters = new ConsumerMeters(registry, spec);
    this.handling = new HandleOrPark(spec, handler, parked, meters);
    this.session = newSession();
    this.polling = Thread.ofVirtual().name("consume-" + spec.name()).unstarted(this::consume);
    this.replaying = Thread.ofVirtual().name("replay-" + spec.name()).unstarted(this::replay);
  }

  public ConsumerLoop(
      Kafka kafka, ConsumerSpec spec, EventHandler handler, Parked parked, MeterRegistry registry) {
    this(kafka, spec, handler, PartitionHook.NONE, parked, registry);
  }

  /// A loop that was closed before it was started stays closed.
  public synchronized void start() {
    if (closing.getCount() > 0) {
      polling.start();
      replaying.start();
    }
  }

  /// Takes no more events of the partition until it is resumed; those already taken go on.
  public void pause(String topic, int partition) {
    pauses.pause(topic, partition);
  }

  public void resume(String topic, int partition) {
    pauses.resume(topic, partition);
  }

  /// Takes no more events at all until all is resumed, whichever partitions come and go.
  public void pauseAll() {
    pauses.pauseAll();
  }

  public void resumeAll() {
    pauses.resumeAll();
  }

  /// Finishes the batches in hand, commits and leaves the group.
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

  /// Whether there is anything running to wait for.
  private synchronized boolean end() {
    closing.countDown();
    session.stop();
    return polling.getState() != Thread.State.NEW;
  }

  private ConsumerSession newSession() {
    return new ConsumerSession(kafka, spec, handling, hook, pauses, meters);
  }

  private void consume() {
    while (closing.getCount() > 0) {
      try {
        session.run();
      } catch (RuntimeException e) {
        LOG.error("{} starts over", spec.name(), e);
      }
      startOver();
    }
  }

  private void startOver() {
    closeSession();
    boolean joined = false;
    while (!joined && rest(AFTER_FAILURE)) {
      joined = join();
    }
    if (joined && closing.getCount() == 0) {
      closeSession();
    }
  }

  /// A client cannot even be made while the names of the brokers cannot be resolved.
  private boolean join() {
    try {
      session = newSession();
      return true;
    } catch (RuntimeException e) {
      LOG.error("{} cannot start over yet: {}", spec.name(), e.toString());
      return false;
    }
  }

  private void closeSession() {
    try {
      session.close();
    } catch (RuntimeException e) {
      LOG.warn("{} did not leave in order: {}", spec.name(), e.toString());
    }
  }

  /// Replays what is asked for of the partitions that this process holds.
  private void replay() {
    while (rest(REPLAY_INTERVAL)) {
      try {
        for (ParkedEvent again : parked.asked(spec.name())) {
          if (session.holds(again.event().topic(), again.event().partition())) {
            handling.replay(again);
          }
        }
      } catch (RuntimeException e) {
        LOG.warn("{} cannot replay parked events: {}", spec.name(), e.toString());
      }
    }
  }

  /// False when the loop is to end.
  private boolean rest(Duration time) {
    try {
      return !closing.await(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return false;
    }
  }
}
