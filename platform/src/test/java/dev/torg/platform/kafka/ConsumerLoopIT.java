package dev.torg.platform.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.platform.Failure;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.testkit.TestDatabase;
import dev.torg.testkit.TestKafka;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ConsumerLoopIT {
  private static final String TOPIC = "letters";
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @RegisterExtension
  static final TestDatabase DATABASE =
      TestDatabase.fresh("platform", Migrations.of("platform")::migrate);

  private final KafkaCluster kafka =
      KafkaCluster.at(TestKafka.servers()).withPrefix(TestKafka.prefix());
  private final Database database = Database.connect(DATABASE.url(), 5);
  private final ParkedEventStore parkedEvents =
      new ParkedEventStore(database, InstantSource.system());
  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final KafkaProducer<String, byte[]> producer = kafka.producer(Map.of());
  private final List<Event> seen = new CopyOnWriteArrayList<>();
  private final List<ConsumerLoop> loops = new ArrayList<>();
  private final ConsumerSpec spec =
      ConsumerSpec.of("reader", TOPIC).withAttempts(3, Duration.ofMillis(20));

  @BeforeEach
  void createTopic() {
    try (TopicAdmin topicAdmin = new TopicAdmin(kafka, TopicPolicy.EMBEDDED)) {
      topicAdmin.ensure(List.of(new TopicSpec(TOPIC, Duration.ofDays(1))));
    }
  }

  @AfterEach
  void close() {
    loops.forEach(ConsumerLoop::close);
    producer.close();
    database.inTransaction(tx -> tx.sql("TRUNCATE parked").update());
    database.close();
  }

  @Test
  void start_newGroup_readsAllInOrderPerKey() throws Exception {
    write(0, 200);
    loop(seen::addAll);
    awaitSeen(200);
    for (int key = 0; key < 10; key++) {
      assertThat(numbersOf(Integer.toString(key))).isSorted().hasSize(20);
    }
  }

  @Test
  void close_thenStart_continuesWithoutLossOrRepeat() throws Exception {
    write(0, 100);
    ConsumerLoop first = loop(seen::addAll);
    awaitSeen(100);
    first.close();
    write(100, 200);
    loop(seen::addAll);
    awaitSeen(200);
    assertThat(numbers()).doesNotHaveDuplicates();
  }

  @Test
  void close_effectNotYetThere_doesNotCommitIt() throws Exception {
    write(0, 10);
    CountDownLatch started = new CountDownLatch(1);
    ConsumerLoop failing =
        loop(
            events -> {
              started.countDown();
              throw new IllegalStateException("no effect");
            },
            spec.withAttempts(1000, Duration.ofMillis(20)),
            PartitionListener.NONE);
    started.await();
    failing.close();
    loop(seen::addAll);
    awaitSeen(10);
  }

  @Test
  void handle_oneBadEvent_parksItAndContinues() throws Exception {
    loop(events -> refuse(events, "7"));
    write(0, 100);
    Counter counter =
        registry.counter("torg.consumer.parked", "consumer", "reader", "topic", TOPIC);
    await().atMost(TIMEOUT).until(() -> counter.count() >= 10);
    awaitSeen(90);
    assertThat(parkedEvents.list(100)).hasSize(10).allMatch(p -> p.event().key().equals("7"));
    assertThat(parkedEvents.list(1).getFirst().reason()).contains("bad");
    assertThat(counter.count()).isEqualTo(10);
  }

  @Test
  void handle_unavailableLongerThanAllAttempts_parksNothing() throws Exception {
    AtomicInteger fails = new AtomicInteger(spec.attempts() * 2);
    loop(
        events -> {
          if (fails.getAndDecrement() > 0) {
            throw Database.unavailable(new SQLException("the database is unavailable", "08006"));
          }
          seen.addAll(events);
        });
    write(0, 1);
    awaitSeen(1);
    assertThat(parkedEvents.list(100)).isEmpty();
  }

  @Test
  void close_whileItWaitsForTheDatabase_endsAndCommitsNothing() throws Exception {
    write(0, 10);
    CountDownLatch waiting = new CountDownLatch(spec.attempts() * 2);
    ConsumerLoop failing =
        loop(
            events -> {
              waiting.countDown();
              throw Failure.unavailable("test.unavailable", "unavailable", null);
            });
    waiting.await();
    failing.close();
    loop(seen::addAll);
    awaitSeen(10);
  }

  @Test
  void replay_afterTheCauseIsGone_handlesAndDeletesThem() throws Exception {
    AtomicBoolean broken = new AtomicBoolean(true);
    loop(events -> refuse(events, broken.get() ? "7" : "none"));
    write(0, 100);
    await().atMost(TIMEOUT).until(() -> parkedEvents.list(100).size() == 10);
    broken.set(false);
    assertThat(parkedEvents.replay("reader")).isEqualTo(10);
    awaitSeen(100);
    await().atMost(TIMEOUT).until(() -> parkedEvents.list(100).isEmpty());
  }

  @Test
  void replay_causeStillThere_staysParkedWithTheAttemptCounted() throws Exception {
    loop(events -> refuse(events, "7"));
    write(7, 8);
    await().atMost(TIMEOUT).until(() -> parkedEvents.list(100).size() == 1);
    int before = parkedEvents.list(1).getFirst().attempts();
    parkedEvents.replayAll();
    await().atMost(TIMEOUT).until(() -> parkedEvents.list(1).getFirst().attempts() > before);
    assertThat(parkedEvents.list(1).getFirst().replayRequested()).isFalse();
  }

  @Test
  void start_secondMember_partitionsMoveWithoutLoss() throws Exception {
    loop(seen::addAll);
    write(0, 100);
    awaitSeen(100);
    List<Event> others = new CopyOnWriteArrayList<>();
    loop(others::addAll);
    AtomicInteger written = new AtomicInteger(100);
    await()
        .atMost(TIMEOUT)
        .until(
            () -> {
              write(written.get(), written.addAndGet(20));
              return !others.isEmpty();
            });
    await()
        .atMost(TIMEOUT)
        .untilAsserted(
            () ->
                assertThat(Stream.concat(seen.stream(), others.stream()))
                    .map(ConsumerLoopIT::number)
                    .containsAll(IntStream.range(0, written.get()).boxed().toList()));
  }

  @Test
  void onAssigned_seekBack_readsCommittedEventsAgainAndReportsIt() throws Exception {
    Instant start = Instant.now().minusSeconds(60);
    write(0, 50);
    loop(seen::addAll);
    awaitSeen(50);
    loops.removeFirst().close();
    write(50, 60);
    loop(seen::addAll, spec, partition -> partition.seekBack(start));
    awaitSeen(110);
    assertThat(seen.stream().filter(Event::replayed)).hasSize(50);
    assertThat(seen.stream().filter(event -> !event.replayed())).hasSize(60);
  }

  @Test
  void onAssigned_afterAnother_knowsWhenItHandledItsLast() throws Exception {
    Instant start = Instant.now().minusSeconds(1);
    write(0, 50);
    loop(seen::addAll);
    awaitSeen(50);
    loops.removeFirst().close();
    Instant last = seen.stream().map(Event::at).max(Instant::compareTo).orElseThrow();
    assertThat(ConsumerGroupProgress.lastHandledAt(kafka, "reader")).contains(last);
    List<Instant> lastHandled = new CopyOnWriteArrayList<>();
    loop(seen::addAll, spec, partition -> partition.lastHandled().ifPresent(lastHandled::add));
    write(50, 60);
    awaitSeen(60);
    assertThat(lastHandled).contains(last).allMatch(start::isBefore);
  }

  @Test
  void close_neverStarted_doesNotStartLater() throws Exception {
    write(0, 10);
    ConsumerLoop loop =
        new ConsumerLoop(kafka, spec, seen::addAll, PartitionListener.NONE, parkedEvents, registry);
    loop.close();
    loop.start();
    loop(seen::addAll);
    awaitSeen(10);
    assertThat(seen).hasSize(10);
  }

  @Test
  void pauseAll_beforeStart_deliversNothingUntilResumed() throws Exception {
    write(0, 50);
    CountDownLatch assigned = new CountDownLatch(TopicPolicy.EMBEDDED.partitions());
    ConsumerLoop loop =
        new ConsumerLoop(
            kafka, spec, seen::addAll, _ -> assigned.countDown(), parkedEvents, registry);
    loops.add(loop);
    loop.pauseAll();
    loop.start();
    assertThat(assigned.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    await().during(Duration.ofSeconds(1)).atMost(TIMEOUT).until(seen::isEmpty);
    loop.resumeAll();
    awaitSeen(50);
  }

  @Test
  void poll_committedOffsetDeleted_startsAtTheEarliestWithAnAlarm() throws Exception {
    write(0, 100);
    loop(seen::addAll);
    awaitSeen(100);
    loops.removeFirst().close();
    write(100, 200);
    deleteUpToTheLastTen();
    loop(seen::addAll);
    await().atMost(TIMEOUT).until(() -> numbers().contains(199));
    assertThat(registry.counter("torg.consumer.out.of.range", "consumer", "reader", "topic", TOPIC))
        .satisfies(counter -> assertThat(counter.count()).isPositive());
  }

  @Test
  void poll_largeEventsAndASlowHandler_buffersAFewMegabytesAndResumes() throws Exception {
    ConsumerMemory memory = new ConsumerMemory(1 << 20);
    CountDownLatch go = new CountDownLatch(1);
    writeLarge(400);
    loop(
        kafka.withMemory(memory),
        events -> {
          go.await();
          seen.addAll(events);
        });
    await().atMost(TIMEOUT).until(() -> memory.heldBytes() >= memory.maxBytes());
    await()
        .during(Duration.ofSeconds(2))
        .atMost(TIMEOUT)
        .until(() -> memory.heldBytes() < 12L * memory.maxBytes());
    go.countDown();
    awaitSeen(400);
    await().atMost(TIMEOUT).until(() -> memory.heldBytes() == 0);
  }

  @Test
  void poll_everyEventLargerThanTheMemory_handlesAll() throws Exception {
    writeLarge(30);
    loop(kafka.withMemory(new ConsumerMemory(1_000)), seen::addAll);
    awaitSeen(30);
  }

  @Test
  void poll_onePartitionIsBlockedWithAFullMemory_othersContinue() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    writeLarge(400);
    loop(
        kafka.withMemory(new ConsumerMemory(1 << 20)),
        events -> {
          if (events.getFirst().partition() == 0) {
            go.await();
          }
          seen.addAll(events);
        });
    await().atMost(TIMEOUT).until(() -> seen.size() == 400 - eventsOf(0));
    go.countDown();
    awaitSeen(400);
  }

  @Test
  void close_withEventsWaiting_releasesTheirMemory() throws Exception {
    ConsumerMemory memory = new ConsumerMemory(1 << 20);
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    writeLarge(50);
    ConsumerLoop loop =
        loop(
            kafka.withMemory(memory),
            events -> {
              started.countDown();
              go.await();
            });
    started.await();
    Thread closing = Thread.ofVirtual().start(loop::close);
    go.countDown();
    closing.join();
    await().atMost(TIMEOUT).until(() -> memory.heldBytes() == 0);
  }

  private ConsumerLoop loop(KafkaCluster cluster, EventHandler handler) {
    ConsumerLoop loop = new ConsumerLoop(cluster, spec, handler, parkedEvents, registry);
    loops.add(loop);
    loop.start();
    return loop;
  }

  private void writeLarge(int count) {
    for (int i = 0; i < count; i++) {
      producer.send(
          new ProducerRecord<>(kafka.clusterName(TOPIC), Integer.toString(i), new byte[100_000]));
    }
    producer.flush();
  }

  private long eventsOf(int partition) {
    try (var consumer = kafka.consumer(Map.of())) {
      TopicPartition topicPartition = new TopicPartition(kafka.clusterName(TOPIC), partition);
      return consumer.endOffsets(List.of(topicPartition)).get(topicPartition);
    }
  }

  @Test
  void lag_handlerStopped_isCounted() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    loop(
        events -> {
          go.await();
          seen.addAll(events);
        });
    write(0, 100);
    await().atMost(TIMEOUT).until(() -> lag() == 100);
    go.countDown();
    await().atMost(TIMEOUT).until(() -> lag() == 0);
  }

  private double lag() {
    return registry.get("torg.consumer.lag").tag("topic", TOPIC).gauge().value();
  }

  private ConsumerLoop loop(EventHandler handler) {
    return loop(handler, spec, PartitionListener.NONE);
  }

  private ConsumerLoop loop(EventHandler handler, ConsumerSpec spec, PartitionListener hook) {
    ConsumerLoop loop = new ConsumerLoop(kafka, spec, handler, hook, parkedEvents, registry);
    loops.add(loop);
    loop.start();
    return loop;
  }

  private void refuse(List<Event> events, String badKey) {
    if (events.stream().anyMatch(event -> event.key().equals(badKey))) {
      throw new IllegalArgumentException("bad");
    }
    seen.addAll(events);
  }

  private void write(int from, int to) throws Exception {
    for (int i = from; i < to; i++) {
      String key = Integer.toString(i % 10);
      producer.send(
          new ProducerRecord<>(
              kafka.clusterName(TOPIC), key, Integer.toString(i).getBytes(StandardCharsets.UTF_8)));
    }
    producer.flush();
  }

  private void deleteUpToTheLastTen() throws Exception {
    try (Admin admin = kafka.admin();
        var consumer = kafka.consumer(Map.of())) {
      List<TopicPartition> partitions =
          IntStream.range(0, TopicPolicy.EMBEDDED.partitions())
              .mapToObj(i -> new TopicPartition(kafka.clusterName(TOPIC), i))
              .toList();
      for (var end : consumer.endOffsets(partitions).entrySet()) {
        RecordsToDelete before = RecordsToDelete.beforeOffset(Math.max(0, end.getValue() - 1));
        admin.deleteRecords(Map.of(end.getKey(), before)).all().get();
      }
    }
  }

  private void awaitSeen(int count) {
    await().atMost(TIMEOUT).until(() -> seen.size() >= count);
    assertThat(seen).hasSize(count);
  }

  private List<Integer> numbersOf(String key) {
    return seen.stream().filter(e -> e.key().equals(key)).map(ConsumerLoopIT::number).toList();
  }

  private List<Integer> numbers() {
    return seen.stream().map(ConsumerLoopIT::number).toList();
  }

  private static int number(Event event) {
    return Integer.parseInt(new String(event.payload(), StandardCharsets.UTF_8));
  }
}
