package dev.torg.platform.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.platform.kafka.TopicAdmin;
import dev.torg.platform.kafka.TopicPolicy;
import dev.torg.platform.kafka.TopicSpec;
import dev.torg.testkit.ChildProcess;
import dev.torg.testkit.TestDatabase;
import dev.torg.testkit.TestKafka;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Relays in separate processes that die or are suspended while events are written.
@Tag("skip-fake-citus")
@Execution(ExecutionMode.CONCURRENT)
class RelayProcessesIT {
  private static final String TOPIC = "letters";
  private static final Duration LONG = Duration.ofSeconds(90);
  private static final KafkaCluster KAFKA =
      KafkaCluster.at(TestKafka.servers()).withPrefix(TestKafka.prefix());

  @RegisterExtension
  static final TestDatabase DATABASE =
      TestDatabase.fresh("platform", Migrations.of("platform")::migrate);

  private static final Database database = Database.connect(DATABASE.url(), 4);

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void relays_oneKilledOneFrozenWhileEventsCome_loseNothingAndKeepOrder() throws Exception {
    RelayEvents events = new RelayEvents(database, TOPIC);
    try (TopicAdmin topicAdmin = new TopicAdmin(KAFKA, TopicPolicy.EMBEDDED)) {
      topicAdmin.ensure(List.of(new TopicSpec(TOPIC, Duration.ofDays(1))));
    }
    AtomicBoolean writing = new AtomicBoolean(true);
    Thread writer = Thread.ofVirtual().start(() -> writeWhile(writing, events));
    try (ChildProcess dying = start("dying");
        ChildProcess frozen = start("frozen");
        ChildProcess third = startLater(dying, frozen)) {
      awaitHolder("third", Home.GROUPS / 2);
      frozen.freeze();
      awaitHolder("third", Home.GROUPS);
      frozen.thaw();
      awaitHolder("frozen", Home.GROUPS / 2);
      writing.set(false);
      writer.join();
      await().atMost(LONG).until(() -> events.waiting() == 0);
      assertThat(third.pid()).isPositive();
    }
    events.assertArrived(KAFKA);
  }

  /// Kills the first of two processes that share the work, and starts another.
  private static ChildProcess startLater(ChildProcess dying, ChildProcess frozen) {
    awaitHolder("dying", Home.GROUPS / 2);
    awaitHolder("frozen", Home.GROUPS / 2);
    dying.kill();
    assertThat(frozen.pid()).isPositive();
    return start("third");
  }

  private static ChildProcess start(String owner) {
    return ChildProcess.start(
        RelayProcess.class, DATABASE.url(), TestKafka.servers(), KAFKA.prefix(), owner);
  }

  private static void awaitHolder(String owner, int groups) {
    await().atMost(LONG).until(() -> heldLeases(owner) == groups);
  }

  private static int heldLeases(String owner) {
    return database.read(
        tx ->
            tx.sql("SELECT count(*) FROM lease WHERE owner = ? AND until > clock_timestamp()")
                .set(owner)
                .first(row -> row.intAt(1))
                .orElseThrow());
  }

  private static void writeWhile(AtomicBoolean writing, RelayEvents events) {
    while (writing.get()) {
      events.write(50);
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }
}
