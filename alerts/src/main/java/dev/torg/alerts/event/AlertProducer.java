package dev.torg.alerts.event;

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

/// Brings alerts to their topics, keyed by the reader. An alert may be sent twice: where it is
/// written `told` keeps it single, so no transaction is needed here.
public final class AlertProducer implements AlertSink, StormSink, AutoCloseable {
  /// Ordinary alerts.
  public static final String NORMAL = "torg.alerts";

  /// Those of large audiences.
  public static final String BULK = "torg.alerts.bulk";

  /// Those of storms: many offers of one seller, or for one search, at once.
  public static final String STORM = "torg.alerts.storm";

  private static final int BATCH_BYTES = 256 * 1024;

  /// What the producer sends and the topics take at most, in one batch of records.
  public static final int MAX_REQUEST_BYTES = 1024 * 1024;

  /// An alert is about a kilobyte. A larger one is shortened: refused, it would hold up the offers
  /// behind it.
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
    send(STORM, alerts, StormAlert::recipient, StormAlert::toBytes);
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

  /// Made when first needed: most processes of role api never send.
  private synchronized KafkaProducer<String, byte[]> producer() {
    KafkaProducer<String, byte[]> made = producer;
    if (made == null) {
      made =
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
      producer = made;
    }
    return made;
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
