package dev.torg.alerts.event;

import dev.torg.alerts.AlertTopics;
import dev.torg.platform.kafka.KafkaCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/// Sends alerts to their topics, keyed by recipient. An alert may be sent twice: delivery deduplicates it, so
/// no Kafka transaction is needed.
public final class AlertProducer implements AlertSink, StormSink, AutoCloseable {
  private static final int BATCH_BYTES = 256 * 1024;

  /// The largest batch of records that the producer sends and the topics accept.
  public static final int MAX_REQUEST_BYTES = 1024 * 1024;

  /// An alert has about a kilobyte. A larger one is shortened: rejected by the broker, it would block the
  /// offers behind it.
  static final int MAX_ALERT_BYTES = 64 * 1024;

  private final KafkaCluster kafka;
  private @Nullable KafkaProducer<String, byte[]> producer;

  public AlertProducer(KafkaCluster kafka) {
    this.kafka = kafka;
  }

  @Override
  public void send(String topic, Collection<Alert> alerts) {
    send(topic, alerts, Alert::recipient, AlertProducer::bytes);
  }

  @Override
  public void send(Collection<StormAlert> alerts) {
    send(AlertTopics.STORM, alerts, StormAlert::recipient, StormAlert::toBytes);
  }

  private <T> void send(
      String topic, Collection<T> alerts, Function<T, String> key, Function<T, byte[]> bytes) {
    if (alerts.isEmpty()) {
      return;
    }
    KafkaProducer<String, byte[]> to = producer();
    List<Future<RecordMetadata>> sent = new ArrayList<>(alerts.size());
    for (T alert : alerts) {
      sent.add(
          to.send(
              new ProducerRecord<>(
                  kafka.clusterName(topic), key.apply(alert), bytes.apply(alert))));
    }
    sent.forEach(AlertProducer::await);
  }

  private static byte[] bytes(Alert alert) {
    return alert.within(MAX_ALERT_BYTES).toBytes();
  }

  /// Created on first use: most processes of role api never send.
  private synchronized KafkaProducer<String, byte[]> producer() {
    KafkaProducer<String, byte[]> created = producer;
    if (created == null) {
      created =
          kafka.producer(
              Map.of(
                  "acks",
                  "all",
                  "linger.ms",
                  2,
                  "batch.size",
                  BATCH_BYTES,
                  "max.request.size",
                  MAX_REQUEST_BYTES,
                  "request.timeout.ms",
                  10_000,
                  "delivery.timeout.ms",
                  30_000));
      producer = created;
    }
    return created;
  }

  private static void await(Future<RecordMetadata> sent) {
    try {
      sent.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("an alert could not be sent", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while sending alerts", e);
    }
  }

  @Override
  public synchronized void close() {
    if (producer != null) {
      producer.close(Duration.ofSeconds(10));
    }
  }
}
