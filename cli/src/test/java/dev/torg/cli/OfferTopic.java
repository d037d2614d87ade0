package dev.torg.cli;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferEvent;
import dev.torg.offers.OfferTopics;
import dev.torg.platform.kafka.KafkaCluster;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/// The contents of `torg.offers`, read as an outside consumer does: each offer's versions.
final class OfferTopic {
  private static final String TOPIC = OfferTopics.OFFERS;

  private final Map<String, TreeMap<Long, Offer>> versions = new HashMap<>();

  static OfferTopic read(KafkaCluster kafka) throws InvalidProtocolBufferException {
    OfferTopic read = new OfferTopic();
    Map<String, Object> settings =
        Map.of("isolation.level", "read_committed", "enable.auto.commit", "false");
    try (KafkaConsumer<String, byte[]> consumer = kafka.consumer(settings)) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(TOPIC).stream()
              .map(info -> new TopicPartition(TOPIC, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.getOrDefault(p, 0L))) {
        for (var received : consumer.poll(Duration.ofMillis(200))) {
          read.add(OfferEvent.parseFrom(received.value()));
        }
      }
    }
    return read;
  }

  Map<Long, Offer> versionsOf(String id) {
    return versions.getOrDefault(id, new TreeMap<>());
  }

  /// The last versions of a seller's offers.
  List<Offer> endsOf(String seller) {
    return versions.values().stream()
        .map(all -> all.lastEntry().getValue())
        .filter(offer -> offer.getSellerId().equals(seller))
        .toList();
  }

  /// Offers of which a version is missing: versions grow by one.
  List<String> gaps() {
    return versions.entrySet().stream()
        .filter(e -> e.getValue().size() != e.getValue().lastKey())
        .map(Map.Entry::getKey)
        .toList();
  }

  private void add(OfferEvent event) {
    versions
        .computeIfAbsent(event.getOfferId(), id -> new TreeMap<>())
        .put(event.getVersion(), event.getAfter());
  }
}
