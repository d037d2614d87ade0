package dev.torg.bench.crash;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.OfferEvent;
import dev.torg.platform.kafka.KafkaCluster;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/// Reads a whole topic of offer events as an outside consumer does: committed records, versions seen before ignored.
///
/// A transaction's markers are written to its partitions shortly after the producer's commit returns, and until
/// then its records exist but cannot be read. So this reads up to the end of all records, committed or not.
final class TopicReading {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /// For each offer, its versions in the order in which they first appeared, with their titles.
  private final Map<String, LinkedHashMap<Long, String>> versions = new HashMap<>();

  private long outOfOrder;
  private long repeats;

  static TopicReading of(KafkaCluster kafka, String topic) {
    TopicReading reading = new TopicReading();
    Map<TopicPartition, Long> ends = ends(kafka, topic);
    try (KafkaConsumer<String, byte[]> consumer = consumer(kafka, "read_committed")) {
      consumer.assign(ends.keySet());
      consumer.seekToBeginning(ends.keySet());
      long deadline = System.nanoTime() + TIMEOUT.toNanos();
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException("a transaction was still open after " + TIMEOUT);
        }
        consumer.poll(Duration.ofMillis(200)).forEach(reading::add);
      }
    }
    return reading;
  }

  private static Map<TopicPartition, Long> ends(KafkaCluster kafka, String topic) {
    try (KafkaConsumer<String, byte[]> consumer = consumer(kafka, "read_uncommitted")) {
      return consumer.endOffsets(
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList());
    }
  }

  private static KafkaConsumer<String, byte[]> consumer(KafkaCluster kafka, String isolation) {
    return kafka.consumer(
        Map.of(
            "isolation.level",
            isolation,
            "auto.offset.reset",
            "earliest",
            "enable.auto.commit",
            "false"));
  }

  Map<Long, String> versionsOf(String offerId) {
    return versions.getOrDefault(offerId, new LinkedHashMap<>());
  }

  long outOfOrder() {
    return outOfOrder;
  }

  long repeats() {
    return repeats;
  }

  private void add(ConsumerRecord<String, byte[]> received) {
    OfferEvent event = parse(received.value());
    LinkedHashMap<Long, String> seen =
        versions.computeIfAbsent(event.getOfferId(), id -> new LinkedHashMap<>());
    if (seen.containsKey(event.getVersion())) {
      repeats++;
    } else {
      if (!seen.isEmpty() && event.getVersion() < seen.lastEntry().getKey()) {
        outOfOrder++;
      }
      seen.put(event.getVersion(), event.getAfter().getTitle());
    }
  }

  private static OfferEvent parse(byte[] payload) {
    try {
      return OfferEvent.parseFrom(payload);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a record of the topic is no offer event", e);
    }
  }
}
