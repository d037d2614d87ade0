package dev.torg.platform.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.embedded.EmbeddedKafka;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.platform.kafka.TopicAdmin;
import dev.torg.platform.kafka.TopicPolicy;
import dev.torg.platform.kafka.TopicSpec;
import dev.torg.platform.lease.LeaseCoordinator;
import dev.torg.testkit.TestDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Kafka is unavailable for longer than every timeout of the producer, and recovers.
@Tag("skip-fake-citus")
@Execution(ExecutionMode.CONCURRENT)
class RelayOutageIT {
  private static final String TOPIC = "letters";

  /// The producer gives up after 10 s, so it restarts twice.
  private static final Duration OUTAGE = Duration.ofSeconds(25);

  private static final Duration LONG = Duration.ofMinutes(2);

  /// Other transactions of the platform last milliseconds.
  private static final String OLDEST_TRANSACTION =
      """
      SELECT coalesce(extract(epoch FROM max(clock_timestamp() - xact_start)), 0) * 1000
      FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
      """;

  @RegisterExtension
  static final TestDatabase DATABASE =
      TestDatabase.fresh("platform", Migrations.of("platform")::migrate);

  @TempDir Path directory;

  private final Database database = Database.connect(DATABASE.url(), 10);

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void kafkaUnavailable_longerThanTheProducerWaits_losesNothingAndHoldsNoTransaction() {
    EmbeddedKafka broker = EmbeddedKafka.start(directory);
    KafkaCluster kafka = new KafkaCluster(broker.bootstrapServers(), "", broker.clientSettings());
    RelayEvents events = new RelayEvents(database, TOPIC);
    try (TopicAdmin topicAdmin = new TopicAdmin(kafka, TopicPolicy.EMBEDDED);
        LeaseCoordinator leases = new LeaseCoordinator(database)) {
      topicAdmin.ensure(List.of(new TopicSpec(TOPIC, Duration.ofDays(1))));
      new Relay(database, events.outbox(), kafka, topicAdmin, new SimpleMeterRegistry())
          .start(leases);
      events.write(200);
      await().atMost(LONG).until(() -> events.waiting() == 0);
      broker.close();
      assertThat(longestTransactionWhileWriting(events)).isLessThan(Duration.ofSeconds(2));
      broker = EmbeddedKafka.start(directory, broker.port());
      await().atMost(LONG).until(() -> events.waiting() == 0);
    }
    events.assertArrived(kafka);
    broker.close();
  }

  private Duration longestTransactionWhileWriting(RelayEvents events) {
    long end = System.nanoTime() + OUTAGE.toNanos();
    long longestNanos = 0;
    while (System.nanoTime() < end) {
      events.write(50);
      longestNanos = Math.max(longestNanos, oldestTransactionMillis());
      LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
    }
    return Duration.ofMillis(longestNanos);
  }

  private long oldestTransactionMillis() {
    return database.read(
        tx -> tx.sql(OLDEST_TRANSACTION).first(row -> row.longAt(1)).orElseThrow());
  }
}
