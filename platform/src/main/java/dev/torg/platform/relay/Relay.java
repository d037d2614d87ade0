package dev.torg.platform.relay;

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
/// transaction that checks the leases. No database transaction is open while waiting for Kafka.
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

  private final Database database;
  private final KafkaCluster kafka;
  private final TopicAdmin topicAdmin;
  private final RelayMetrics metrics;
  private final Duration poll;
  private final AtomicReferenceArray<@Nullable RelayStep> steps =
      new AtomicReferenceArray<>(Home.GROUPS);

  public Relay(
      Database database,
      Outbox outbox,
      KafkaCluster kafka,
      TopicAdmin topicAdmin,
      MeterRegistry registry) {
    this(database, outbox, kafka, topicAdmin, registry, POLL);
  }

  Relay(
      Database database,
      Outbox outbox,
      KafkaCluster kafka,
      TopicAdmin topicAdmin,
      MeterRegistry registry,
      Duration poll) {
    this.database = database;
    this.kafka = kafka;
    this.topicAdmin = topicAdmin;
    this.metrics = new RelayMetrics(registry);
    this.poll = poll;
    outbox.onCommit(this::wake);
  }

  /// Joins the relay work.
  public void start(LeaseCoordinator competition) {
    ProducerFencing fencing =
        new ProducerFencing(kafka, topicAdmin, WORK + "-" + competition.owner());
    RelayLoop rounds = new RelayLoop(new RelayStore(database), fencing, metrics, poll);
    competition.work(WORK, lease -> begin(rounds, lease));
  }

  private LeaseStep begin(RelayLoop rounds, Lease lease) {
    RelayStep step = rounds.acquire(lease);
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
