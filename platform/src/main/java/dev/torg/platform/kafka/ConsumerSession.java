package dev.torg.platform.kafka;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One membership in the consumer group, from joining to leaving. Everything but [#stop] and [#holds] runs on the
/// polling thread.
final class ConsumerSession implements ConsumerRebalanceListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ConsumerSession.class);
  private static final Duration POLL = Duration.ofMillis(100);

  /// How long a revoked partition may take to finish its batch.
  private static final Duration REVOKE_TIMEOUT = Duration.ofSeconds(10);

  /// A commit forces the broker's disk; after a crash at most this much work is repeated.
  private static final long COMMIT_INTERVAL_NANOS = Duration.ofMillis(500).toNanos();

  /// Batches that may wait in a partition before its polling pauses.
  private static final int BATCHES_AHEAD = 2;

  private final KafkaCluster kafka;
  private final ConsumerSpec spec;
  private final RetryThenPark handling;
  private final PartitionListener hook;
  private final BooleanSupplier paused;
  private final ConsumerMetrics metrics;
  private final KafkaConsumer<String, byte[]> consumer;
  private final Map<TopicPartition, PartitionWorker> workers = new ConcurrentHashMap<>();
  private final Map<TopicPartition, Long> committed = new ConcurrentHashMap<>();
  private final Map<TopicPartition, Long> committedAtAssignment = new HashMap<>();
  private volatile boolean stopped;
  private long lastCommit = System.nanoTime();

  ConsumerSession(
      KafkaCluster kafka,
      ConsumerSpec spec,
      RetryThenPark handling,
      PartitionListener hook,
      BooleanSupplier paused,
      ConsumerMetrics metrics) {
    this.kafka = kafka;
    this.spec = spec;
    this.handling = handling;
    this.hook = hook;
    this.paused = paused;
    this.metrics = metrics;
    this.consumer = kafka.consumer(settings());
  }

  private Map<String, Object> settings() {
    return Map.ofEntries(
        Map.entry("group.id", kafka.clusterName(spec.name())),
        Map.entry("isolation.level", "read_committed"),
        Map.entry("enable.auto.commit", false),
        Map.entry("auto.offset.reset", "none"),
        Map.entry(
            "partition.assignment.strategy", List.of(CooperativeStickyAssignor.class.getName())),
        Map.entry("default.api.timeout.ms", 10_000),
        Map.entry("session.timeout.ms", 10_000),
        Map.entry("heartbeat.interval.ms", 3_000),
        Map.entry("reconnect.backoff.max.ms", 1_000));
  }

  void run() {
    consumer.subscribe(spec.topics().stream().map(kafka::clusterName).toList(), this);
    while (!stopped) {
      poll();
      startOverIfWorkerFailed();
      pauseAndResume();
      if (System.nanoTime() - lastCommit > COMMIT_INTERVAL_NANOS) {
        requestCommit();
        reportLag();
      }
    }
  }

  /// May be called from any thread.
  void stop() {
    stopped = true;
  }

  /// May be called from any thread.
  boolean holds(String topic, int partition) {
    return workers.containsKey(new TopicPartition(kafka.clusterName(topic), partition));
  }

  /// Leaves the group; closing the consumer revokes its partitions through the listener.
  @Override
  public void close() {
    consumer.close();
    workers.values().forEach(PartitionWorker::stop);
  }

  private void poll() {
    try {
      dispatch(consumer.poll(POLL));
    } catch (NoOffsetForPartitionException e) {
      consumer.seekToBeginning(e.partitions());
    } catch (OffsetOutOfRangeException e) {
      startAgain(e.offsetOutOfRangePartitions().keySet());
    }
  }

  private void dispatch(ConsumerRecords<String, byte[]> records) {
    for (TopicPartition partition : records.partitions()) {
      PartitionWorker worker = workers.get(partition);
      if (worker != null) {
        long past = committedAtAssignment.getOrDefault(partition, 0L);
        worker.add(records.records(partition).stream().map(r -> Event.of(kafka, r, past)).toList());
      }
    }
  }

  /// Retention deleted events before this group consumed them.
  private void startAgain(Set<TopicPartition> partitions) {
    for (TopicPartition partition : partitions) {
      LOG.error("{} has lost events of {}: retention deleted them first", spec.name(), partition);
      metrics.outOfRange(kafka.localName(partition.topic()));
    }
    consumer.seekToBeginning(partitions);
  }

  private void startOverIfWorkerFailed() {
    if (workers.values().stream().anyMatch(PartitionWorker::hasFailed)) {
      throw new IllegalStateException("a partition's worker ended");
    }
  }

  private void pauseAndResume() {
    boolean all = paused.getAsBoolean();
    Set<TopicPartition> pausing = new HashSet<>();
    workers.forEach(
        (partition, worker) -> {
          if (all || worker.backlog() >= spec.batch() * BATCHES_AHEAD || worker.mustPause()) {
            pausing.add(partition);
          }
        });
    Set<TopicPartition> resumed = new HashSet<>(consumer.paused());
    resumed.removeAll(pausing);
    consumer.resume(resumed);
    consumer.pause(pausing);
  }

  private void requestCommit() {
    Map<TopicPartition, OffsetAndMetadata> offsets = uncommitted(workers.keySet());
    lastCommit = System.nanoTime();
    if (!offsets.isEmpty()) {
      consumer.commitAsync(
          offsets,
          (done, failure) -> {
            if (failure == null) {
              done.forEach((partition, offset) -> committed.put(partition, offset.offset()));
            }
          });
    }
  }

  private Map<TopicPartition, OffsetAndMetadata> uncommitted(Set<TopicPartition> partitions) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    for (TopicPartition partition : partitions) {
      PartitionWorker worker = workers.get(partition);
      if (worker != null && worker.done().offset() > committed.getOrDefault(partition, 0L)) {
        offsets.put(partition, worker.done().toCommit());
      }
    }
    return offsets;
  }

  private void reportLag() {
    Map<String, Long> lags = new HashMap<>();
    workers.forEach(
        (partition, worker) ->
            lags.merge(
                kafka.localName(partition.topic()),
                consumer.currentLag(partition).orElse(0) + worker.backlog(),
                Long::sum));
    metrics.lag(lags);
    metrics.buffered(workers.values().stream().mapToLong(PartitionWorker::heldBytes).sum());
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    if (partitions.isEmpty()) {
      return;
    }
    Map<TopicPartition, OffsetAndMetadata> offsets = consumer.committed(Set.copyOf(partitions));
    for (TopicPartition partition : partitions) {
      assign(partition, CommittedPosition.of(offsets.get(partition)));
    }
  }

  private void assign(TopicPartition partition, CommittedPosition position) {
    committed.put(partition, position.offset());
    committedAtAssignment.put(partition, position.offset());
    if (paused.getAsBoolean()) {
      consumer.pause(Set.of(partition));
    }
    hook.onAssigned(new NewAssignment(partition, position));
    String name = spec.name() + "-" + partition;
    workers.put(
        partition, new PartitionWorker(name, handling, spec.batch(), position, kafka.memory()));
  }

  /// Called before the partitions are assigned to another member.
  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    Set<TopicPartition> leaving = Set.copyOf(partitions);
    List<PartitionWorker> finishing =
        leaving.stream().map(workers::get).filter(worker -> worker != null).toList();
    finishing.forEach(PartitionWorker::stop);
    long end = System.nanoTime() + REVOKE_TIMEOUT.toNanos();
    finishing.forEach(w -> w.awaitEnd(Duration.ofNanos(Math.max(1, end - System.nanoTime()))));
    try {
      consumer.commitSync(uncommitted(leaving));
    } finally {
      revoke(leaving);
    }
  }

  /// Called when another member may own them already: events handled here may be handled there again.
  @Override
  public void onPartitionsLost(Collection<TopicPartition> partitions) {
    revoke(Set.copyOf(partitions));
  }

  private void revoke(Set<TopicPartition> partitions) {
    for (TopicPartition partition : partitions) {
      PartitionWorker worker = workers.remove(partition);
      if (worker != null) {
        worker.stop();
        hook.onRevoked(kafka.localName(partition.topic()), partition.partition());
      }
    }
  }

  private final class NewAssignment implements PartitionListener.Assignment {
    private final TopicPartition partition;
    private final CommittedPosition position;

    NewAssignment(TopicPartition partition, CommittedPosition position) {
      this.partition = partition;
      this.position = position;
    }

    @Override
    public String topic() {
      return kafka.localName(partition.topic());
    }

    @Override
    public int partition() {
      return partition.partition();
    }

    @Override
    public Optional<Instant> lastHandled() {
      return position.lastHandled();
    }

    @Override
    public void seekBack(Instant time) {
      OffsetAndTimestamp offset =
          consumer.offsetsForTimes(Map.of(partition, time.toEpochMilli())).get(partition);
      if (offset != null && offset.offset() < position.offset()) {
        consumer.seek(partition, offset.offset());
      }
    }
  }
}
