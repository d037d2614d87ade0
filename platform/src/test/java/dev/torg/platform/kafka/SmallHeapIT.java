package dev.torg.platform.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.platform.db.Migrations;
import dev.torg.testkit.ChildProcess;
import dev.torg.testkit.TestDatabase;
import dev.torg.testkit.TestKafka;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// A real process with a small heap reads a backlog many times larger, part of it events that
/// compress to almost nothing.
@Tag("skip-fake-citus")
class SmallHeapIT {
  private static final String TOPIC = "large-letters";
  private static final int EVENT_BYTES = 100_000;
  private static final int RANDOM_EVENTS = 1_200;
  private static final int COMPRESSIBLE_EVENTS = 3_000;

  @RegisterExtension
  static final TestDatabase DATABASE =
      TestDatabase.fresh("platform", Migrations.of("platform")::migrate);

  private final KafkaCluster kafka =
      KafkaCluster.at(TestKafka.servers()).withPrefix(TestKafka.prefix());

  @Test
  void start_backlogOfLargeEvents_isHandledWithoutOutOfMemory() {
    try (TopicAdmin topicAdmin = new TopicAdmin(kafka, TopicPolicy.EMBEDDED)) {
      topicAdmin.ensure(List.of(new TopicSpec(TOPIC, Duration.ofDays(1))));
    }
    write();
    int events = RANDOM_EVENTS + COMPRESSIBLE_EVENTS;
    try (ChildProcess process =
        ChildProcess.start(
            List.of("-Xmx80m", "-XX:+ExitOnOutOfMemoryError"),
            CatchUpMain.class,
            kafka.servers(),
            kafka.prefix(),
            DATABASE.url(),
            TOPIC,
            Integer.toString(events))) {
      await()
          .atMost(Duration.ofSeconds(120))
          .until(() -> !process.isAlive() || process.lines().contains("HANDLED " + events));
      assertThat(process.lines()).contains("HANDLED " + events);
    }
  }

  /// As the relay writes them.
  private void write() {
    byte[] random = new byte[EVENT_BYTES];
    new Random(1).nextBytes(random);
    try (KafkaProducer<String, byte[]> producer =
        kafka.producer(
            Map.of("compression.type", "lz4", "batch.size", 512 * 1024, "linger.ms", 5))) {
      for (int i = 0; i < RANDOM_EVENTS; i++) {
        producer.send(new ProducerRecord<>(kafka.clusterName(TOPIC), Integer.toString(i), random));
      }
      for (int i = 0; i < COMPRESSIBLE_EVENTS; i++) {
        producer.send(
            new ProducerRecord<>(
                kafka.clusterName(TOPIC), Integer.toString(i), new byte[EVENT_BYTES]));
      }
    }
  }
}
