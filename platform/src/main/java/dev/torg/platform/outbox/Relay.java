package dev.torg.platform.outbox;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.lease.Lease;
import dev.torg.platform.lease.LeasedWork;
import dev.torg.platform.lease.Leases;
import dev.torg.platform.lease.Step;
import dev.torg.platform.topics.Kafka;
import dev.torg.platform.topics.Topics;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Sends what the outbox holds to Kafka, each group of homes in one process at a time.
///
/// One round of a group ([RelayStep]): read the oldest rows in a short transaction; send them in a
/// Kafka transaction and wait; delete exactly those rows in another short transaction that checks
/// the lease. No database transaction is open while Kafka is waited for.
///
/// **Why order holds.** A group's rows are sent by one producer whose transactional id belongs to the
/// group. Whoever takes the lease makes a new producer first, which ends the former one's
/// transaction and fences it; then looks at its lease again, so that a process that slept between
/// the two gives up; and only then reads. A round that fails in any way closes the producer and
/// starts over from the rows, which are all still there.
///
/// **Cost.** A transaction on an embedded broker forces the disk about twenty times, whatever its
/// size. So only a few groups send at once; the others' rows gather meanwhile into larger batches.
/// An idle relay sends at once. The producer waits for the flush at the end of the transaction before
/// sending, so each partition gets one batch.
public final class Relay implements LeasedWork {
  static final String WORK = "relay";

  /// How soon events of other processes are seen; a commit in this one wakes the relay at once.
  static final Duration POLL = Duration.ofMillis(250);

  /// How long a group rests when one look tells which groups have events.
  private static final Duration REST = Duration.ofSeconds(10);

  /// Groups of this process that talk to Kafka at once: one sends while another reads or deletes.
  private static final int CONCURRENT = 2;

  private final Database database;
  private final boolean distributed;
  private final Kafka kafka;
  private final Topics topics;
  private final RelayMeters meters;
  private final Duration poll;
  private final Semaphore turn = new Semaphore(CONCURRENT, true);
  private final AtomicReferenceArray<@Nullable Lease> leases =
      new AtomicReferenceArray<>(Home.GROUPS);

  public Relay(
      Database database, Outbox outbox, Kafka kafka, Topics topics, MeterRegistry registry) {
    this(database, outbox, kafka, topics, registry, POLL);
  }

  Relay(
      Database database,
      Outbox outbox,
      Kafka kafka,
      Topics topics,
      MeterRegistry registry,
      Duration poll) {
    this.database = database;
    this.distributed = database.isDistributed();
    this.kafka = kafka;
    this.topics = topics;
    this.meters = new RelayMeters(registry);
    this.poll = poll;
    outbox.onCommit(this::wake);
  }

  /// Takes part in relaying from now on.
  public void start(Leases competition) {
    if (distributed) {
      competition.work(WORK, this);
    } else {
      competition.work(WORK, this, poll, held -> RelayStore.waiting(database, held));
    }
  }

  @Override
  public Step begin(Lease lease) throws SQLException {
    RelayStore store = new RelayStore(database, distributed, lease);
    RelayProducer producer = new RelayProducer(kafka, topics, WORK + "-" + lease.group());
    try {
      producer.fenceFormer();
      store.checkLease();
    } catch (RuntimeException e) {
      producer.close();
      throw e;
    }
    leases.set(lease.group(), lease);
    return new RelayStep(store, producer, turn, meters, distributed ? poll : REST);
  }

  private void wake(int group) {
    Lease lease = leases.get(group);
    if (lease != null) {
      lease.wake();
    }
  }
}
