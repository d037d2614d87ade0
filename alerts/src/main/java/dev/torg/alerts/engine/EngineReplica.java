package dev.torg.alerts.engine;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.SearchEvent;
import dev.torg.favorites.Audiences;
import dev.torg.favorites.FavoriteTopics;
import dev.torg.matching.Query;
import dev.torg.matching.SearchId;
import dev.torg.matching.engine.Engine;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.kafka.KafkaCluster;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Holds the engine and applies `torg.searches` to it. Every process reads all partitions, without a
/// consumer group.
///
/// **Start.** From the snapshot and its offsets or, without one, from the database and the offsets taken
/// before it was read. In both cases it re-reads the topic from half an hour before the last offer was
/// handled by any process: events applied twice, in order, have the same result, and the recent searches
/// are known again. The engine has caught up when it reaches the end of the topic as it was at the start;
/// offers must not be consumed before.
///
/// **Then** each new search is first added, then passed to the listener, which matches it against offers
/// handled without it. A listener that fails is called again before anything else is applied.
public final class EngineReplica implements EngineView, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EngineReplica.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);
  private static final Duration UNCHANGED = Duration.ofHours(12);

  private final KafkaCluster kafka;
  private final EngineLoader database;
  private final SnapshotFile file;
  private final Duration snapshotEvery;
  private final InstantSource clock;
  private final Supplier<Optional<Instant>> lastOffer;
  private final RecentSearches recent;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final CountDownLatch caughtUp = new CountDownLatch(1);
  private final Map<Integer, Long> positions = new HashMap<>();
  private final Thread thread;
  private Consumer<List<AddedSearch>> listener = added -> {};
  private Runnable whenCaughtUp = () -> {};
  private long lastSnapshot = System.nanoTime();
  private boolean changed;
  private boolean reloadRequired;
  private volatile @Nullable Engine engine;

  /// The file of the snapshot, and how often it is written.
  public record Snapshots(Path file, Duration every) {}

  /// @param lastOffer the time of the last offer handled by any process, if there is one
  public EngineReplica(
      KafkaCluster kafka,
      Audiences audiences,
      Snapshots snapshots,
      Supplier<Optional<Instant>> lastOffer,
      InstantSource clock,
      MeterRegistry registry) {
    this.kafka = kafka;
    this.database = new EngineLoader(audiences);
    this.file = new SnapshotFile(snapshots.file(), clock);
    this.snapshotEvery = snapshots.every();
    this.lastOffer = lastOffer;
    this.clock = clock;
    this.recent = new RecentSearches(clock);
    this.thread = Thread.ofPlatform().name("alerts-searches").unstarted(this::run);
    Gauge.builder("torg.alerts.engine.searches", this, EngineReplica::size)
        .description("Searches in the engine")
        .register(registry);
    Gauge.builder("torg.alerts.engine.bytes", this, EngineReplica::bytes)
        .description("Memory that the engine holds")
        .baseUnit("bytes")
        .register(registry);
  }

  /// @param newSearches receives searches after they were added, on the replica's thread
  public void start(Consumer<List<AddedSearch>> newSearches, Runnable onceCaughtUp) {
    this.listener = newSearches;
    this.whenCaughtUp = onceCaughtUp;
    thread.start();
  }

  public boolean isCaughtUp() {
    return caughtUp.getCount() == 0;
  }

  /// Only once it has caught up.
  @Override
  public Engine engine() {
    return find().orElseThrow(() -> new IllegalStateException("the engine is not ready yet"));
  }

  /// The engine, possibly before it has caught up.
  public Optional<Engine> find() {
    return Optional.ofNullable(engine);
  }

  @Override
  public boolean isRecent(SearchId id) {
    return recent.contains(id);
  }

  /// Stops reading and leaves a snapshot.
  @Override
  public void close() {
    closing.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    find().ifPresent(Engine::close);
  }

  private void run() {
    while (closing.getCount() > 0) {
      try (KafkaConsumer<String, byte[]> consumer = kafka.consumer(settings())) {
        consume(consumer);
      } catch (OffsetOutOfRangeException e) {
        LOG.error("searches were lost by retention: all are read from the database", e);
        reloadRequired = true;
      } catch (RuntimeException e) {
        LOG.error("the searches are read again", e);
        sleep(AFTER_FAILURE);
      }
    }
    if (isCaughtUp()) {
      writeSnapshot();
    }
  }

  private static Map<String, Object> settings() {
    return Map.of(
        "isolation.level",
        "read_committed",
        "enable.auto.commit",
        false,
        "auto.offset.reset",
        "none",
        "max.poll.records",
        1000,
        "default.api.timeout.ms",
        10_000);
  }

  private void consume(KafkaConsumer<String, byte[]> consumer) {
    List<TopicPartition> partitions =
        consumer.partitionsFor(kafka.clusterName(FavoriteTopics.SEARCHES)).stream()
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    if (engine == null || reloadRequired) {
      load(consumer.beginningOffsets(partitions), ends);
      reloadRequired = false;
    }
    seek(consumer, partitions);
    while (closing.getCount() > 0) {
      apply(consumer);
      if (!isCaughtUp() && hasReached(consumer, ends)) {
        catchUp();
      }
      if (isCaughtUp() && isSnapshotDue()) {
        writeSnapshot();
      }
    }
  }

  private void load(Map<TopicPartition, Long> beginnings, Map<TopicPartition, Long> ends) {
    long startNanos = System.nanoTime();
    Optional<SnapshotFile.StoredSnapshot> snapshot =
        reloadRequired
            ? Optional.empty()
            : file.read().filter(stored -> fits(stored.offsets(), beginnings, ends));
    Engine loaded;
    if (snapshot.isPresent()) {
      loaded = snapshot.get().engine();
      positions.putAll(snapshot.get().offsets().offsets());
    } else {
      loaded = Engine.create(clock);
      ends.forEach((partition, end) -> positions.put(partition.partition(), end));
      database.into(loaded);
      changed = true;
    }
    Optional<Engine> former = find();
    engine = loaded;
    former.ifPresent(Engine::close);
    LOG.info(
        "{} searches from {} in {} ms",
        loaded.size(),
        snapshot.isPresent() ? "the snapshot" : "the database",
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos));
  }

  /// A snapshot of another topic, or of offsets that the topic no longer retains, cannot be used.
  private static boolean fits(
      SnapshotOffsets offsets,
      Map<TopicPartition, Long> beginnings,
      Map<TopicPartition, Long> ends) {
    if (offsets.offsets().size() != ends.size()) {
      return false;
    }
    return ends.entrySet().stream()
        .allMatch(
            end -> {
              Long offset = offsets.offsets().get(end.getKey().partition());
              return offset != null
                  && offset <= end.getValue()
                  && offset >= beginnings.getOrDefault(end.getKey(), 0L);
            });
  }

  /// After a failure it continues at the last position; at the start, where recent searches may begin.
  private void seek(KafkaConsumer<String, byte[]> consumer, List<TopicPartition> partitions) {
    Map<TopicPartition, OffsetAndTimestamp> earlier =
        isCaughtUp() ? Map.of() : recentOffsets(consumer, partitions);
    for (TopicPartition partition : partitions) {
      long position = positions.getOrDefault(partition.partition(), 0L);
      OffsetAndTimestamp before = earlier.get(partition);
      consumer.seek(partition, before == null ? position : Math.min(position, before.offset()));
    }
  }

  private Map<TopicPartition, OffsetAndTimestamp> recentOffsets(
      KafkaConsumer<String, byte[]> consumer, List<TopicPartition> partitions) {
    lastOffer.get().ifPresent(recent::start);
    long oldest = recent.oldest().toEpochMilli();
    Map<TopicPartition, Long> times = new HashMap<>();
    partitions.forEach(partition -> times.put(partition, oldest));
    return consumer.offsetsForTimes(times);
  }

  private void apply(KafkaConsumer<String, byte[]> consumer) {
    List<AddedSearch> added = new ArrayList<>();
    for (ConsumerRecord<String, byte[]> received : consumer.poll(POLL)) {
      apply(received).ifPresent(added::add);
    }
    notifyListener(added);
    consumer
        .assignment()
        .forEach(partition -> positions.put(partition.partition(), consumer.position(partition)));
  }

  private Optional<AddedSearch> apply(ConsumerRecord<String, byte[]> received) {
    try {
      SearchEvent event = SearchEvent.parseFrom(received.value());
      Instant at = EpochMicros.instant(event.getAt());
      changed = true;
      if (event.getRemoved()) {
        engine().remove(SearchId.parse(event.getSearchId()));
        return Optional.empty();
      }
      Optional<Query> query = EngineLoader.query(event.getSearchId(), event.getQuery());
      query.ifPresent(added -> recent.add(added.searchId(), at));
      return query
          .filter(added -> engine().add(added))
          .map(added -> new AddedSearch(added.searchId(), added, at));
    } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
      LOG.error("{}@{} cannot be read", received.partition(), received.offset(), e);
      return Optional.empty();
    }
  }

  /// Before it has caught up there are no offers to match.
  private void notifyListener(List<AddedSearch> added) {
    boolean notified = added.isEmpty() || !isCaughtUp();
    while (!notified && closing.getCount() > 0) {
      try {
        listener.accept(added);
        notified = true;
      } catch (RuntimeException e) {
        LOG.warn("new searches are matched against recent offers again: {}", e.toString());
        sleep(AFTER_FAILURE);
      }
    }
  }

  private static boolean hasReached(
      KafkaConsumer<String, byte[]> consumer, Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
  }

  private void catchUp() {
    caughtUp.countDown();
    LOG.info("the engine has caught up, with {} searches", engine().size());
    whenCaughtUp.run();
  }

  /// On the thread that applies events, so that engine and positions are consistent.
  private void writeSnapshot() {
    lastSnapshot = System.nanoTime();
    changed = false;
    file.write(engine(), new SnapshotOffsets(clock.instant(), positions));
  }

  /// An unchanged engine is written again before its snapshot gets too old.
  private boolean isSnapshotDue() {
    long age = System.nanoTime() - lastSnapshot;
    return age > (changed ? snapshotEvery : UNCHANGED).toNanos();
  }

  private void sleep(Duration time) {
    try {
      if (closing.await(time.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.debug("closing");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private double size() {
    return find().map(Engine::size).orElse(0L);
  }

  private double bytes() {
    return find().map(loaded -> loaded.stats().bytes()).orElse(0L);
  }
}
