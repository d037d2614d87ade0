package dev.torg.alerts.engine;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.alerts.event.AlertContent;
import dev.torg.api.v1.SearchEvent;
import dev.torg.favorites.Audiences;
import dev.torg.matching.Query;
import dev.torg.matching.SearchId;
import dev.torg.matching.engine.Engine;
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

/// Holds the engine and keeps it up to date with `torg.searches`, of which every process reads all
/// partitions, without a group.
///
/// **Start.** From the snapshot and the offsets in it or, without one, from the database and the
/// offsets taken before it was read. In both cases it reads again from half an hour before the last
/// offer was handled, by whomever: what is applied twice, in order, ends as it should, and the young
/// searches are known again. Only when the end of the topic as it was at the start is reached has the
/// engine caught up; nobody may take offers before.
///
/// **Then** each search that was not there is first added, then shown to the listener, which matches
/// it against offers handled without it. A listener that fails is asked again: nothing goes on
/// without it.
public final class EngineReplica implements EngineView, AutoCloseable {
  public static final String TOPIC = "torg.searches";

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

  /// Where the engine's snapshot lies, and how often it is written.
  public record Snapshots(Path file, Duration every) {}

  /// @param lastOffer the time of the last offer that anybody has handled, if any was
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

  /// The listener hears of searches after they were added, on the host's thread.
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

  /// The engine as far as it is there.
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
        consumer.partitionsFor(kafka.clusterName(TOPIC)).stream()
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
    long began = System.nanoTime();
    Optional<SnapshotFile.StoredSnapshot> found =
        reloadRequired
            ? Optional.empty()
            : file.read().filter(snapshot -> fits(snapshot.positions(), beginnings, ends));
    Engine loaded;
    if (found.isPresent()) {
      loaded = found.get().engine();
      positions.putAll(found.get().positions().offsets());
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
        found.isPresent() ? "the snapshot" : "the database",
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
  }

  /// A snapshot of another topic, or from before what the topic still keeps, is of no use.
  private static boolean fits(
      SnapshotOffsets positions,
      Map<TopicPartition, Long> beginnings,
      Map<TopicPartition, Long> ends) {
    if (positions.offsets().size() != ends.size()) {
      return false;
    }
    return ends.entrySet().stream()
        .allMatch(
            end -> {
              Long offset = positions.offsets().get(end.getKey().partition());
              return offset != null
                  && offset <= end.getValue()
                  && offset >= beginnings.getOrDefault(end.getKey(), 0L);
            });
  }

  /// After a failure it goes on where it was; at the start where young searches may begin.
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
      Instant at = AlertContent.instant(event.getAt());
      changed = true;
      if (event.getRemoved()) {
        engine().remove(SearchId.parse(event.getSearchId()));
        return Optional.empty();
      }
      Optional<Query> query = EngineLoader.query(event.getSearchId(), event.getQuery());
      query.ifPresent(known -> recent.add(known.searchId(), at));
      return query
          .filter(known -> engine().add(known))
          .map(known -> new AddedSearch(known.searchId(), known, at));
    } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
      LOG.error("{}@{} cannot be read", received.partition(), received.offset(), e);
      return Optional.empty();
    }
  }

  /// Before it has caught up there are no offers to match.
  private void notifyListener(List<AddedSearch> added) {
    boolean told = added.isEmpty() || !isCaughtUp();
    while (!told && closing.getCount() > 0) {
      try {
        listener.accept(added);
        told = true;
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

  /// On the thread that applies, so that engine and positions belong together.
  private void writeSnapshot() {
    lastSnapshot = System.nanoTime();
    changed = false;
    file.write(engine(), new SnapshotOffsets(clock.instant(), positions));
  }

  /// One that nothing was added to is written again before it gets too old.
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
    return find().map(known -> known.stats().bytes()).orElse(0L);
  }
}
