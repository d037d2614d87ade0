package dev.torg.platform.relay;

import dev.torg.platform.Failure;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.platform.kafka.TopicAdmin;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The transactional ids of relays: this process's own, and those of former holders.
final class ProducerFencing {
  private final KafkaCluster kafka;
  private final TopicAdmin topicAdmin;
  private final String own;

  /// When each id was fenced here last.
  private final Map<String, Long> fenced = new HashMap<>();

  /// The time of the last failure: a caller that waited for that attempt need not wait for another one.
  private final Map<String, Long> failed = new HashMap<>();

  ProducerFencing(KafkaCluster kafka, TopicAdmin topicAdmin, String own) {
    this.kafka = kafka;
    this.topicAdmin = topicAdmin;
    this.own = own;
  }

  String own() {
    return own;
  }

  /// Aborts what this process sent before and did not commit.
  RelayProducer newProducer() {
    return fencing(own);
  }

  /// Fences what a former sender began before the given time, on this process's own clock. Several groups of
  /// one dead process may be acquired together: its producer is fenced once for all of them.
  synchronized void fence(String former, long acquiredAt) {
    if (isSince(acquiredAt, fenced.get(former))) {
      return;
    }
    if (isSince(acquiredAt, failed.get(former))) {
      throw Failure.unavailable("kafka.unreachable", "the former sender cannot be fenced", null);
    }
    long now = System.nanoTime();
    try {
      fencing(former).close();
      fenced.put(former, now);
    } catch (RuntimeException e) {
      failed.put(former, System.nanoTime());
      throw e;
    }
  }

  private static boolean isSince(long acquiredAt, @Nullable Long time) {
    return time != null && time - acquiredAt >= 0;
  }

  private RelayProducer fencing(String transactionalId) {
    RelayProducer producer = new RelayProducer(kafka, topicAdmin, transactionalId);
    try {
      producer.fenceFormer();
      return producer;
    } catch (RuntimeException e) {
      producer.close();
      throw e;
    }
  }
}
