package dev.torg.platform.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.EachShard;
import dev.torg.platform.db.Tx;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.platform.outbox.EventSequence;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.outbox.OutboxMessage;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/// Writes events of some keys to an outbox, each key's in order, and checks the topic: no event is
/// lost, and none of a key arrives before its predecessor.
final class RelayEvents {
  private final EventSequence clock = new EventSequence(InstantSource.system());
  private final Outbox outbox = new Outbox();
  private final Database database;
  private final String topic;
  private final Map<String, List<Long>> written = new ConcurrentHashMap<>();

  RelayEvents(Database database, String topic) {
    this.database = database;
    this.topic = topic;
  }

  Outbox outbox() {
    return outbox;
  }

  /// One event for each of the given number of keys, in one transaction per shard.
  void write(int keys) {
    List<OutboxMessage> messages = new ArrayList<>();
    for (int i = 0; i < keys; i++) {
      messages.add(message("key-" + i, new byte[200]));
    }
    append(messages);
  }

  OutboxMessage message(String key, byte[] payload) {
    List<Long> before = written.computeIfAbsent(key, k -> new ArrayList<>());
    long seq = before.isEmpty() ? clock.first() : clock.after(before.getLast());
    return new OutboxMessage(Home.of(key), seq, topic, key, payload);
  }

  void append(List<OutboxMessage> messages) {
    write(messages, outbox::append);
  }

  /// Of any size, as an earlier version left them.
  void insert(List<OutboxMessage> messages) {
    write(messages, outbox::insert);
  }

  private interface Insertion {
    void write(Tx tx, List<OutboxMessage> messages) throws SQLException;
  }

  private void write(List<OutboxMessage> messages, Insertion insertion) {
    EachShard.run(
        database.shards().split(messages, OutboxMessage::home),
        ofShard -> database.transact(tx -> insertion.write(tx, ofShard)));
    messages.forEach(m -> written.computeIfAbsent(m.key(), k -> new ArrayList<>()).add(m.seq()));
  }

  long waiting() {
    return database.read(
        tx -> tx.sql("SELECT count(*) FROM outbox").first(row -> row.longAt(1)).orElseThrow());
  }

  /// Repeats are allowed, but first arrivals must be in order and complete.
  void assertArrived(KafkaCluster kafka) {
    Map<String, List<Long>> arrived = new LinkedHashMap<>();
    read(kafka).forEach(event -> addIfNew(arrived, event));
    written.forEach((key, seqs) -> assertThat(arrived.get(key)).as(key).isEqualTo(seqs));
    assertThat(arrived.keySet()).isEqualTo(written.keySet());
  }

  private static void addIfNew(Map<String, List<Long>> arrived, ReadEvent event) {
    List<Long> seqs = arrived.computeIfAbsent(event.key(), key -> new ArrayList<>());
    if (seqs.isEmpty() || event.seq() > seqs.getLast()) {
      seqs.add(event.seq());
    }
  }

  record ReadEvent(String key, long seq) {}

  /// All that is committed in the topic. Kafka shows a transaction shortly after its commit returned, so this
  /// reads up to the end that read-uncommitted consumers see.
  List<ReadEvent> read(KafkaCluster kafka) {
    List<ReadEvent> events = new ArrayList<>();
    Map<TopicPartition, Long> ends = ends(kafka);
    try (KafkaConsumer<String, byte[]> consumer =
        kafka.consumer(Map.of("isolation.level", "read_committed"))) {
      consumer.assign(ends.keySet());
      consumer.seekToBeginning(ends.keySet());
      await()
          .pollInSameThread()
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofMillis(1))
          .until(
              () -> {
                consumer.poll(Duration.ofMillis(100)).forEach(r -> events.add(event(r)));
                return ends.entrySet().stream()
                    .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
              });
    }
    return events;
  }

  private Map<TopicPartition, Long> ends(KafkaCluster kafka) {
    try (KafkaConsumer<String, byte[]> consumer = kafka.consumer(Map.of())) {
      return consumer.endOffsets(
          consumer.partitionsFor(kafka.clusterName(topic)).stream()
              .map(p -> new TopicPartition(p.topic(), p.partition()))
              .toList());
    }
  }

  private static ReadEvent event(ConsumerRecord<String, byte[]> received) {
    byte[] seq = received.headers().lastHeader(Event.SEQ).value();
    return new ReadEvent(received.key(), ByteBuffer.wrap(seq).getLong());
  }
}
