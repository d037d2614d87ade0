package dev.torg.platform.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// How many records of a topic a consumer group has not handled yet, in any process. Queried from Kafka at most
/// a few times a second.
public final class ConsumerGroupLag implements AutoCloseable {
  private static final long FRESH_NANOS = Duration.ofMillis(300).toNanos();
  private static final long FETCH_TIMEOUT_SECONDS = 5;

  private final KafkaCluster kafka;
  private final String group;
  private final String topic;
  private @Nullable Admin admin;
  private long lag;
  private long nextFetch = System.nanoTime();

  public ConsumerGroupLag(KafkaCluster kafka, String group, String topic) {
    this.kafka = kafka;
    this.group = group;
    this.topic = topic;
  }

  public synchronized long now() {
    if (System.nanoTime() - nextFetch >= 0) {
      lag = fetch();
      nextFetch = System.nanoTime() + FRESH_NANOS;
    }
    return lag;
  }

  private long fetch() {
    Admin client = admin == null ? kafka.admin() : admin;
    admin = client;
    String name = kafka.clusterName(topic);
    TopicDescription description =
        await(client.describeTopics(List.of(name)).allTopicNames()).get(name);
    if (description == null) {
      return 0;
    }
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    description
        .partitions()
        .forEach(p -> ends.put(new TopicPartition(name, p.partition()), OffsetSpec.latest()));
    Map<TopicPartition, OffsetAndMetadata> done =
        await(
            client
                .listConsumerGroupOffsets(kafka.clusterName(group))
                .partitionsToOffsetAndMetadata());
    Map<TopicPartition, ListOffsetsResultInfo> last = await(client.listOffsets(ends).all());
    long lag = 0;
    for (Map.Entry<TopicPartition, ListOffsetsResultInfo> end : last.entrySet()) {
      OffsetAndMetadata committed = done.get(end.getKey());
      lag += Math.max(0, end.getValue().offset() - (committed == null ? 0 : committed.offset()));
    }
    return lag;
  }

  private static <T> T await(KafkaFuture<T> future) {
    try {
      return future.get(FETCH_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("cannot read the offsets of a topic from Kafka", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Override
  public synchronized void close() {
    if (admin != null) {
      admin.close();
    }
  }
}
