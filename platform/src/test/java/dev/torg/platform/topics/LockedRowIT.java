package dev.torg.platform.topics;

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
import java.util.concurrent.ConcurrentHashMap;
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
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int KEYS = 40;

  @RegisterExtension
  static final TestDatabase DATABASE =
      TestDatabase.fresh("platform", Migrations.of("platform")::migrate);

  private final Kafka kafka = Kafka.at(TestKafka.servers()).withPrefix(TestKafka.prefix());
  private final Database database = Database.connect(DATABASE.url(), 8);
  private final KafkaProducer<String, byte[]> producer = kafka.producer(Map.of());
  private final Map<String, AtomicInteger> attempts = new ConcurrentHashMap<>();
  private final AtomicInteger failedSharedCalls = new AtomicInteger();
  private ConsumerLoop loop;

  @BeforeEach
  void open() {
    try (Topics topics = new Topics(kafka, TopicRules.EMBEDDED)) {
      topics.ensure(List.of(new TopicSpec(TOPIC, Duration.ofDays(1))));
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
            ConsumerSpec.of("visitor", TOPIC),
            new HandleTogether(this::count),
            new Parked(database, InstantSource.system()),
            new SimpleMeterRegistry());
  }

  @AfterEach
  void close() {
    loop.close();
    producer.close();
    database.close();
  }

  @Test
  void handle_rowStaysLocked_otherPartitionsKeepSharingTheirCalls() throws Exception {
    try (Connection rival = DriverManager.getConnection(DATABASE.url());
        Statement statement = rival.createStatement()) {
      rival.setAutoCommit(false);
      statement.execute("UPDATE visit SET times = times WHERE name = '0'");
      loop.start();
      write("0");
      await().atMost(SOON).until(() -> isRetried("0"));
      failedSharedCalls.set(0);
      List<String> healthy = healthyKeys();
      for (int round = 1; round <= 30; round++) {
        for (String key : healthy) {
          write(key);
        }
        int times = round;
        await().atMost(SOON).until(() -> visited(healthy) == times * healthy.size());
      }
      assertThat(failedSharedCalls).hasValueLessThanOrEqualTo(1);
      assertThat(visited(List.of("0"))).isZero();
      rival.rollback();
    }
    await().atMost(SOON).until(() -> visited(List.of("0")) == 1);
  }

  /// Those that are not in the partition of key 0, which waits.
  private List<String> healthyKeys() {
    int stuck = partition("0");
    return IntStream.range(1, KEYS)
        .mapToObj(Integer::toString)
        .filter(key -> partition(key) != stuck)
        .toList();
  }

  private int partition(String key) {
    return BuiltInPartitioner.partitionForKey(
        key.getBytes(StandardCharsets.UTF_8), TopicRules.EMBEDDED.partitions());
  }

  private boolean isRetried(String key) {
    AtomicInteger tried = attempts.get(key);
    return tried != null && tried.get() >= 4;
  }

  private void count(List<Event> events) {
    events.forEach(
        e -> attempts.computeIfAbsent(e.key(), _ -> new AtomicInteger()).incrementAndGet());
    try {
      database.inTransaction(
          tx ->
              tx.sql(
                      """
                      UPDATE visit v SET times = v.times + k.n
                        FROM (SELECT name, count(*) AS n FROM unnest(?::text[]) AS u (name)
                               GROUP BY name ORDER BY name) k
                       WHERE v.name = k.name
                      """)
                  .texts(events, Event::key)
                  .update());
    } catch (RuntimeException e) {
      if (events.stream().map(Event::partition).distinct().count() > 1) {
        failedSharedCalls.incrementAndGet();
      }
      throw e;
    }
  }

  private void write(String key) {
    producer.send(new ProducerRecord<>(kafka.named(TOPIC), key, new byte[1]));
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
