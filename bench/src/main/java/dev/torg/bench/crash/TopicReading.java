package dev.torg.bench.crash;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.OfferEvent;
import dev.torg.platform.topics.Kafka;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/// Reads a whole topic of offer events as an outside consumer does: committed records, versions seen before ignored.
final class TopicReading {
  /// For each offer, its versions in the order in which they first appeared, with their titles.
  private final Map<String, LinkedHashMap<Long, String>> versions = new HashMap<>();

  private long outOfOrder;
  private long repeats;

  static TopicReading of(String servers, String topic) {
    TopicReading reading = new TopicReading();
    Map<String, Object> settings =
        Map.of(
            "isolation.level",
            "read_committed",
            "auto.offset.reset",
            "earliest",
            "enable.auto.commit",
            "false");
    try (KafkaConsumer<String, byte[]> consumer = Kafka.at(servers).consumer(settings)) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream()
          .anyMatch(partition -> consumer.position(partition) < ends.getOrDefault(partition, 0L))) {
        consumer.poll(Duration.ofMillis(200)).forEach(reading::add);
      }
    }
    return reading;
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
