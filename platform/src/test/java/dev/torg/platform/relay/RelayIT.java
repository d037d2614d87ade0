package dev.torg.platform.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.torg.platform.Backoff;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.EachShard;
import dev.torg.platform.db.Migrations;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.platform.kafka.TopicAdmin;
import dev.torg.platform.kafka.TopicPolicy;
import dev.torg.platform.kafka.TopicSpec;
import dev.torg.platform.lease.LeaseCoordinator;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.outbox.OutboxMessage;
import dev.torg.testkit.TestDatabase;
import dev.torg.testkit.TestKafka;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RelayIT {
  private static final String TOPIC = "letters";
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Random RANDOM = new Random(1);

  /// Within four seconds, each key at another time.
  private static final BatchSql<BlockedKey> RETRY_LATER =
      BatchColumns.of(BlockedKey::home)
          .texts("topic", BlockedKey::topic)
          .texts("key", BlockedKey::key)
          .instants("retry_at", _ -> Instant.now().plusMillis(RANDOM.nextInt(4_000)))
          .sql(
              """
              UPDATE outbox_blocked b SET retry_at = k.retry_at FROM :batch(k)
               WHERE b.home = k.home AND b.topic = k.topic AND b.key = k.key AND :shard(b)
              """);

  @RegisterExtension
  static final TestDatabase DATABASE =
      TestDatabase.fresh("platform", Migrations.of("platform")::migrate);

  private final KafkaCluster kafka =
      KafkaCluster.at(TestKafka.servers()).withPrefix(TestKafka.prefix());
  private final Database database = Database.connect(DATABASE.url(), 10);
  private final TopicAdmin topicAdmin = new TopicAdmin(kafka, TopicPolicy.EMBEDDED);
  private final LeaseCoordinator leases = new LeaseCoordinator(database);
  private final RelayEvents events = new RelayEvents(database, TOPIC);
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final BlockedKeyStore blockedKeys = new BlockedKeyStore(database);
  private final Relay relay = relay(Relay.POLL);

  private Relay relay(Duration poll) {
    return new Relay(
        database, events.outbox(), kafka, topicAdmin, metrics, new Backoff(poll, poll));
  }

  @BeforeEach
  void createTopic() {
    topicAdmin.ensure(List.of(new TopicSpec(TOPIC, Duration.ofDays(1))));
  }

  @AfterEach
  void close() {
    leases.close();
    topicAdmin.close();
    database.inTransaction(
        tx -> tx.sql("TRUNCATE outbox").update() + tx.sql("TRUNCATE outbox_blocked").update());
    database.close();
  }

  @Test
  void start_eventsWaiting_sendsAllInOrderAndEmptiesTheOutbox() {
    IntStream.range(0, 50).forEach(i -> events.write(100));
    relay.start(leases);
    awaitEmpty();
    events.assertArrived(kafka);
  }

  @Test
  void append_whileRelaying_arrivesWithoutWaitingForThePoll() {
    Relay patient = relay(Duration.ofHours(1));
    patient.start(leases);
    await().atMost(TIMEOUT).until(() -> leases.held(Relay.WORK).size() == Home.GROUPS);
    for (int i = 0; i < 10; i++) {
      events.write(20);
      awaitEmpty();
    }
  }

  @Tag("skip-fake-citus")
  @Test
  void send_topicDeletedWhileRelaying_blocksItsKeysOnly() throws Exception {
    topicAdmin.ensure(List.of(new TopicSpec("doomed", Duration.ofDays(1))));
    RelayEvents doomed = new RelayEvents(database, "doomed");
    relay.start(leases);
    IntStream.range(0, 3).forEach(i -> doomed.write(1));
    awaitEmpty();
    try (Admin admin = kafka.admin()) {
      admin.deleteTopics(List.of(kafka.clusterName("doomed"))).all().get();
    }
    IntStream.range(0, 3).forEach(i -> doomed.write(1));
    events.write(100);
    await().atMost(Duration.ofSeconds(60)).until(() -> events.waiting() == 3);
    assertThat(blockedKeys.list(10))
        .singleElement()
        .satisfies(key -> assertThat(key.topic()).isEqualTo("doomed"))
        .satisfies(key -> assertThat(key.reason()).contains("no topic"));
  }

  @Test
  void append_sameMicrosecondInOneHome_keepsBoth() {
    OutboxMessage message = events.message("one", new byte[10]);
    events.append(
        List.of(
            message,
            new OutboxMessage(
                message.home(), message.seq(), message.topic(), "other", new byte[10])));
    assertThat(events.waiting()).isEqualTo(2);
  }

  @Test
  void send_recordTooLarge_blocksItsKeyOnly() {
    relay.start(leases);
    events.append(List.of(events.message("bad", new byte[10])));
    awaitEmpty();
    events.insert(List.of(events.message("bad", incompressible(3_000_000))));
    events.append(List.of(events.message("bad", new byte[10])));
    events.write(100);
    await().atMost(TIMEOUT).until(() -> events.waiting() == 2);
    assertThat(events.read(kafka).stream().filter(e -> e.key().equals("bad"))).hasSize(1);
    assertThat(blockedKeys.list(10))
        .singleElement()
        .satisfies(key -> assertThat(key.key()).isEqualTo("bad"))
        .satisfies(key -> assertThat(key.reason()).contains("TooLarge"));
    await().atMost(TIMEOUT).until(() -> blockedKeys() == 1);
  }

  @Test
  void append_largestEvent_isSent() {
    relay.start(leases);
    events.append(List.of(events.message("large", incompressible(Outbox.MAX_BYTES))));
    awaitEmpty();
    events.assertArrived(kafka);
  }

  @Test
  void append_eventBeyondTheLargest_failsTheChangeAndKeepsNothing() {
    OutboxMessage small = events.message("small", new byte[10]);
    OutboxMessage large =
        new OutboxMessage(
            small.home(), small.seq(), small.topic(), "large", new byte[Outbox.MAX_BYTES + 1]);
    assertThatThrownBy(() -> events.append(List.of(small, large)))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.code()).isEqualTo("event.too-large"))
        .rootCause()
        .hasMessageContaining("an event of 1000001 bytes")
        .hasMessageContaining("key large");
    assertThat(events.waiting()).isZero();
  }

  @Test
  void blockedKeys_areReportedEvenWhenTheDatabaseIsUnavailable() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (Database unavailable = Database.connect(DATABASE.url(), 2)) {
      new Relay(unavailable, new Outbox(), kafka, topicAdmin, registry);
    }
    assertThat(registry.get("torg.relay.blocked").gauge().value()).isZero();
  }

  @Test
  void blockedKeys_ofReleasedGroups_areNotReportedHere() {
    relay.start(leases);
    events.insert(List.of(events.message("bad", incompressible(3_000_000))));
    await().atMost(TIMEOUT).until(() -> blockedKeys() == 1);
    leases.close();
    assertThat(blockedKeys()).isZero();
  }

  private double blockedKeys() {
    return metrics.get("torg.relay.blocked").gauge().value();
  }

  @Test
  void send_noSuchTopic_waitsUntilItIsThere() {
    RelayEvents early = new RelayEvents(database, "later");
    IntStream.range(0, 3).forEach(i -> early.write(1));
    relay.start(leases);
    events.write(100);
    await().atMost(TIMEOUT).until(() -> events.waiting() == 3);
    assertThat(blockedKeys.list(10))
        .singleElement()
        .extracting(BlockedKey::topic)
        .isEqualTo("later");
    assertThat(blockedKeys.retry("another")).isZero();
    topicAdmin.ensure(List.of(new TopicSpec("later", Duration.ofDays(1))));
    blockedKeys.retry("later");
    awaitEmpty();
    early.assertArrived(kafka);
    await().atMost(TIMEOUT).until(() -> blockedKeys.count() == 0);
    await().atMost(TIMEOUT).until(() -> blockedKeys() == 0);
  }

  @Test
  void send_blockedKeysWhoseTimesComeOneByOne_keepTheirOrder() {
    RelayEvents events = new RelayEvents(database, "spread");
    IntStream.range(0, 4).forEach(i -> events.write(300));
    relay.start(leases);
    await().atMost(TIMEOUT).until(() -> blockedKeys.count() == 300);
    EachShard.run(
        database.shards().split(blockedKeys.list(300), BlockedKey::home),
        keys -> database.transact(tx -> tx.sql(RETRY_LATER, keys).update()));
    topicAdmin.ensure(List.of(new TopicSpec("spread", Duration.ofDays(1))));
    await().atMost(TIMEOUT).until(() -> events.waiting() == 0);
    events.assertArrived(kafka);
  }

  @Test
  void commit_afterATakeover_failsAndShowsNothing() {
    try (RelayProducer stale = new RelayProducer(kafka, topicAdmin, "relay-x");
        RelayProducer current = new RelayProducer(kafka, topicAdmin, "relay-x")) {
      stale.fenceFormer();
      stale.send(List.of(events.message("before", new byte[10])));
      current.fenceFormer();
      assertThatThrownBy(() -> stale.send(List.of(events.message("stale", new byte[10]))))
          .isInstanceOf(KafkaException.class);
      current.send(List.of(events.message("current", new byte[10])));
    }
    assertThat(events.read(kafka).stream().map(RelayEvents.ReadEvent::key))
        .containsExactlyInAnyOrder("before", "current");
  }

  private void awaitEmpty() {
    await().pollInterval(Duration.ofMillis(5)).atMost(TIMEOUT).until(() -> events.waiting() == 0);
  }

  private static byte[] incompressible(int size) {
    byte[] bytes = new byte[size];
    new Random(1).nextBytes(bytes);
    return bytes;
  }
}
