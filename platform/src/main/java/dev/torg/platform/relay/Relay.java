package dev.torg.platform.relay;

import dev.torg.platform.Backoff;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.platform.kafka.TopicAdmin;
import dev.torg.platform.lease.Lease;
import dev.torg.platform.lease.LeaseCoordinator;
import dev.torg.platform.lease.LeaseStep;
import dev.torg.platform.outbox.Outbox;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Sends the outbox to Kafka, each group of homes in one process at a time.
///
/// One round ([RelayLoop]) serves all groups that the process holds: read the oldest rows of each in a short
/// transaction; send them in a Kafka transaction and wait; delete exactly those rows in another short
/// transaction that checks the leases. No database transaction is open while waiting for Kafka. On distributed tables
/// one statement finds the homes that have rows, and each of their shards has a transaction of its own.
///
/// **Why order holds.** A process sends with one producer, whose transactional id is the process's own, and
/// `relay_sender` records the id that last sent a group. A process that acquires a group's lease fences that
/// id, which aborts the former holder's transaction and locks it out; then records its own id under the lease,
/// so that a process that was suspended between the two gives up; and only then reads. A process that was
/// fenced creates a new producer first and then checks which leases it still holds, so it never sends again for
/// a group that it lost. A round that fails in any way closes the producer and starts over from the rows, which
/// are all still there.
///
/// **Cost.** A Kafka transaction on an embedded broker forces the disk about twenty times, whatever its size.
/// So a process sends one at a time, for all its groups, and rows committed meanwhile gather for the next. An
/// idle relay sends immediately.
public final class Relay {
  static final String WORK = "relay";

  /// How soon events of other processes are seen; a commit in this one wakes the relay immediately.
  static final Duration POLL = Duration.ofMillis(250);

  /// The same on distributed tables after a while without events: a poll queries every shard.
  private static final Duration MAX_DISTRIBUTED_POLL = Duration.ofSeconds(1);

  private final Database database;
  private final KafkaCluster kafka;
  private final TopicAdmin topicAdmin;
  private final RelayMetrics metrics;
  private final Backoff poll;
  private final AtomicReferenceArray<@Nullable RelayStep> steps =
      new AtomicReferenceArray<>(Home.GROUPS);

  public Relay(
      Database database,
      Outbox outbox,
      KafkaCluster kafka,
      TopicAdmin topicAdmin,
      MeterRegistry registry) {
    this(database, outbox, kafka, topicAdmin, registry, poll(database));
  }

  private static Backoff poll(Database database) {
    return new Backoff(POLL, database.isDistributed() ? MAX_DISTRIBUTED_POLL : POLL);
  }

  /// @param poll the interval after consecutive polls that found nothing
  Relay(
      Database database,
      Outbox outbox,
      KafkaCluster kafka,
      TopicAdmin topicAdmin,
      MeterRegistry registry,
      Backoff poll) {
    this.database = database;
    this.kafka = kafka;
    this.topicAdmin = topicAdmin;
    this.metrics = new RelayMetrics(registry);
    this.poll = poll;
    outbox.onCommit(this::wake);
  }

  /// Joins the relay work.
  public void start(LeaseCoordinator leases) {
    ProducerFencing fencing = new ProducerFencing(kafka, topicAdmin, WORK + "-" + leases.owner());
    RelayLoop loop = new RelayLoop(new RelayStore(database), fencing, metrics, poll);
    leases.work(WORK, lease -> startStep(loop, lease));
  }

  private LeaseStep startStep(RelayLoop loop, Lease lease) {
    RelayStep step = loop.acquire(lease);
    steps.set(lease.group(), step);
    return step;
  }

  private void wake(int group) {
    RelayStep step = steps.get(group);
    if (step != null) {
      step.wake();
    }
  }
}
