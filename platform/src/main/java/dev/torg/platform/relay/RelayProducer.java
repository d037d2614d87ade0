package dev.torg.platform.relay;

import dev.torg.platform.kafka.Event;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.platform.kafka.TopicAdmin;
import dev.torg.platform.outbox.OutboxMessage;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends rows in Kafka transactions: all of them are committed, or none is visible to read-committed consumers.
/// Rows that Kafka refuses for their content are returned; any other failure is thrown, and then the producer
/// cannot be used further.
final class RelayProducer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RelayProducer.class);

  /// Failures that a retry of the same record would not resolve.
  private static final List<Class<? extends KafkaException>> REFUSALS =
      List.of(
          RecordTooLargeException.class,
          InvalidTopicException.class,
          UnknownTopicOrPartitionException.class,
          TopicAuthorizationException.class,
          InvalidTimestampException.class,
          InvalidRecordException.class,
          PolicyViolationException.class,
          SerializationException.class);

  private final KafkaCluster kafka;
  private final TopicAdmin topicAdmin;
  private final KafkaProducer<String, byte[]> producer;

  RelayProducer(KafkaCluster kafka, TopicAdmin topicAdmin, String transactionalId) {
    this.kafka = kafka;
    this.topicAdmin = topicAdmin;
    this.producer = kafka.producer(settings(kafka.clusterName(transactionalId)));
  }

  private static Map<String, Object> settings(String transactionalId) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("transactional.id", transactionalId);
    settings.put("client.id", transactionalId);
    settings.put("acks", "all");
    settings.put("compression.type", "lz4");
    // Records accumulate until the commit flushes them: one batch and one forced write per
    // partition.
    settings.put("linger.ms", 1000);
    settings.put("batch.size", 512 * 1024);
    settings.put("max.request.size", 8 * 1024 * 1024);
    // All partitions' batches are sent in one request; a second one never overtakes a failed first.
    settings.put("max.in.flight.requests.per.connection", 1);
    settings.put("buffer.memory", 16L * 1024 * 1024);
    // After a crash of the holder read-committed consumers wait at its open transaction at most
    // this long.
    settings.put("transaction.timeout.ms", 15_000);
    settings.put("max.block.ms", 10_000);
    settings.put("request.timeout.ms", 5_000);
    settings.put("delivery.timeout.ms", 10_000);
    settings.put("reconnect.backoff.max.ms", 1_000);
    return settings;
  }

  /// Aborts the open transaction of the former holder of this transactional id and fences it.
  void fenceFormer() {
    producer.initTransactions();
  }

  /// Sends all rows, commits and returns an empty result; or sends nothing and returns the reasons.
  Map<OutboxMessage, String> send(List<OutboxMessage> messages) {
    Map<OutboxMessage, String> unknown = withoutTopic(messages);
    if (!unknown.isEmpty()) {
      return unknown;
    }
    Map<OutboxMessage, Exception> failures = new ConcurrentHashMap<>();
    producer.beginTransaction();
    try {
      sendAll(messages, failures);
      producer.commitTransaction();
      return Map.of();
    } catch (KafkaException e) {
      return refused(failures, e);
    }
  }

  /// Stops at the first row without a response from Kafka: each further one would wait as long.
  private void sendAll(List<OutboxMessage> messages, Map<OutboxMessage, Exception> failures) {
    for (OutboxMessage message : messages) {
      send(message, failures);
      if (failures.values().stream().anyMatch(TimeoutException.class::isInstance)) {
        return;
      }
    }
  }

  private void send(OutboxMessage message, Map<OutboxMessage, Exception> failures) {
    ProducerRecord<String, byte[]> sent =
        new ProducerRecord<>(kafka.clusterName(message.topic()), message.key(), message.payload());
    sent.headers().add(Event.SEQ, Event.encode(message.seq()));
    producer.send(
        sent,
        (metadata, failure) -> {
          if (failure != null) {
            failures.put(message, failure);
          }
        });
  }

  /// Checked first, because a producer waits a long time for a topic that may still be created.
  private Map<OutboxMessage, String> withoutTopic(List<OutboxMessage> messages) {
    Map<String, Boolean> exists = new HashMap<>();
    Map<OutboxMessage, String> without = new IdentityHashMap<>();
    for (OutboxMessage message : messages) {
      if (!exists.computeIfAbsent(message.topic(), topicAdmin::exists)) {
        without.put(message, "there is no topic " + message.topic());
      }
    }
    return without;
  }

  private Map<OutboxMessage, String> refused(
      Map<OutboxMessage, Exception> failures, KafkaException failure) {
    Map<OutboxMessage, String> refused = new IdentityHashMap<>();
    failures.forEach(
        (message, reason) -> {
          if (REFUSALS.stream().anyMatch(type -> type.isInstance(reason))) {
            refused.put(message, reason.toString());
          }
        });
    if (refused.isEmpty()) {
      topicAdmin.clearCache();
      throw failure;
    }
    abort();
    collateralTooLarge(failures).forEach(refused::remove);
    return refused;
  }

  /// Rows refused as too large only because their batch contained one that is: Kafka refuses a
  /// whole batch. The next round sends them.
  private static List<OutboxMessage> collateralTooLarge(Map<OutboxMessage, Exception> failures) {
    List<OutboxMessage> tooLarge =
        failures.keySet().stream()
            .filter(message -> failures.get(message) instanceof RecordTooLargeException)
            .sorted(Comparator.comparingInt(message -> message.payload().length))
            .toList();
    return tooLarge.isEmpty() ? tooLarge : tooLarge.subList(0, tooLarge.size() - 1);
  }

  /// If this fails too, no further transaction starts and a new producer replaces this one.
  private void abort() {
    try {
      producer.abortTransaction();
    } catch (KafkaException e) {
      LOG.warn("cannot abort: {}", e.toString());
    }
  }

  /// Does not wait: what is not committed is sent again by the next producer.
  @Override
  public void close() {
    producer.close(Duration.ZERO);
  }
}
