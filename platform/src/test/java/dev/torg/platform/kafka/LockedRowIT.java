package dev.torg.platform.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.testkit.TestDatabase;
import dev.torg.testkit.TestKafka;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Consumers that share their calls while another connection keeps one of their rows locked.
class LockedRowIT {
  private static final String TOPIC = "visits";
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int KEYS = 40;

  @RegisterExtension
  static final TestDatabase DATABASE =
      TestDatabase.fresh("platform", Migrations.of("platform")::migrate);

  private final KafkaCluster kafka =
      KafkaCluster.at(TestKafka.servers()).withPrefix(TestKafka.prefix());
  private final Database database = Database.connect(DATABASE.url(), 8);
  private final KafkaProducer<String, byte[]> producer = kafka.producer(Map.of());
  private final AtomicInteger attempts = new AtomicInteger();
  private final AtomicInteger retries = new AtomicInteger();
  private final AtomicInteger sharedRetries = new AtomicInteger();
  private final AtomicInteger handledDuringRetries = new AtomicInteger();
  private final AtomicBoolean isRetrying = new AtomicBoolean();
  private ConsumerLoop loop;

  @BeforeEach
  void open() {
    try (TopicAdmin topicAdmin = new TopicAdmin(kafka, TopicPolicy.EMBEDDED)) {
      topicAdmin.ensure(List.of(new TopicSpec(TOPIC, Duration.ofDays(1))));
    }
    database.inTransaction(
        tx -> {
          tx.sql("DROP TABLE IF EXISTS visit").update();
          tx.sql("CREATE TABLE visit (name text PRIMARY KEY, times int NOT NULL)").update();
          return tx.sql("INSERT INTO visit SELECT n::text, 0 FROM generate_series(0, ?) n")
              .set(KEYS - 1)
              .update();
        });
    loop =
        new ConsumerLoop(
            kafka,
            ConsumerSpec.of("visitor", TOPIC).withAttempts(5, Duration.ofMillis(50)),
            new CrossPartitionBatcher(this::count),
            new ParkedEventStore(database, InstantSource.system()),
            new SimpleMeterRegistry());
  }

  @AfterEach
  void close() {
    loop.close();
    producer.close();
    database.close();
  }

  /// Each retry of the locked key takes a second; the others neither wait for it nor take part in it.
  @Test
  void handle_rowStaysLocked_otherPartitionsContinueDuringItsRetries() throws Exception {
    try (Connection blocker = DriverManager.getConnection(DATABASE.url());
        Statement statement = blocker.createStatement()) {
      blocker.setAutoCommit(false);
      statement.execute("UPDATE visit SET times = times WHERE name = '0'");
      loop.start();
      write("0");
      await().atMost(TIMEOUT).until(() -> retries.get() > 0);
      List<String> healthy = healthyKeys();
      AtomicInteger attempts = new AtomicInteger();
      await()
          .atMost(TIMEOUT)
          .until(
              () -> {
                healthy.forEach(this::write);
                long expected = (long) attempts.incrementAndGet() * healthy.size();
                await().atMost(TIMEOUT).until(() -> visited(healthy) == expected);
                return handledDuringRetries.get() >= 10;
              });
      assertThat(sharedRetries).hasValue(0);
      assertThat(visited(List.of("0"))).isZero();
      blocker.rollback();
    }
    await().atMost(TIMEOUT).until(() -> visited(List.of("0")) == 1);
  }

  /// Keys outside the partition of key 0, which waits.
  private List<String> healthyKeys() {
    int stuck = partition("0");
    return IntStream.range(1, KEYS)
        .mapToObj(Integer::toString)
        .filter(key -> partition(key) != stuck)
        .toList();
  }

  private int partition(String key) {
    return BuiltInPartitioner.partitionForKey(
        key.getBytes(StandardCharsets.UTF_8), TopicPolicy.EMBEDDED.partitions());
  }

  private void count(List<Event> events) {
    boolean hasLocked = events.stream().anyMatch(event -> event.key().equals("0"));
    if (hasLocked && attempts.incrementAndGet() > 2) {
      retry(events);
    } else {
      update(events);
      if (!hasLocked && isRetrying.get()) {
        handledDuringRetries.incrementAndGet();
      }
    }
  }

  private void retry(List<Event> events) {
    retries.incrementAndGet();
    if (events.stream().map(Event::partition).distinct().count() > 1) {
      sharedRetries.incrementAndGet();
    }
    isRetrying.set(true);
    try {
      update(events);
    } finally {
      isRetrying.set(false);
    }
  }

  private void update(List<Event> events) {
    database.inTransaction(
        tx ->
            tx.sql(
                    """
                    UPDATE visit v SET times = v.times + k.n
                      FROM (SELECT name, count(*) AS n FROM unnest(?::text[]) AS u (name)
                             GROUP BY name) k
                     WHERE v.name = k.name
                    """)
                .texts(events, Event::key)
                .update());
  }

  private void write(String key) {
    producer.send(new ProducerRecord<>(kafka.clusterName(TOPIC), key, new byte[1]));
    producer.flush();
  }

  private long visited(List<String> keys) {
    return database
        .read(
            tx ->
                tx.sql("SELECT coalesce(sum(times), 0) FROM visit WHERE name = ANY (?)")
                    .texts(keys, key -> key)
                    .first(row -> row.longAt(1)))
        .orElseThrow();
  }
}
