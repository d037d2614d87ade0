package dev.torg.platform.kafka;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/// How to reach a Kafka cluster. The prefix is prepended to every topic, consumer group and transactional id,
/// so that several installations, or test classes, can share a cluster; the settings (mostly security) are
/// passed to every client; the consumers created from it share the memory.
public record KafkaCluster(
    String servers, String prefix, Map<String, String> settings, ConsumerMemory memory) {
  public KafkaCluster {
    settings = Map.copyOf(settings);
  }

  public KafkaCluster(String servers, String prefix, Map<String, String> settings) {
    this(servers, prefix, settings, ConsumerMemory.defaults());
  }

  public static KafkaCluster at(String servers) {
    return new KafkaCluster(servers, "", Map.of());
  }

  public KafkaCluster withPrefix(String newPrefix) {
    return new KafkaCluster(servers, newPrefix, settings, memory);
  }

  public KafkaCluster withMemory(ConsumerMemory newMemory) {
    return new KafkaCluster(servers, prefix, settings, newMemory);
  }

  /// The cluster's name of a local topic, group or transactional id.
  public String clusterName(String name) {
    return prefix + name;
  }

  /// The local name of one of the cluster's topics.
  public String localName(String clusterName) {
    return clusterName.substring(prefix.length());
  }

  public KafkaProducer<String, byte[]> producer(Map<String, Object> producerSettings) {
    return new KafkaProducer<>(
        with(producerSettings), new StringSerializer(), new ByteArraySerializer());
  }

  public KafkaConsumer<String, byte[]> consumer(Map<String, Object> consumerSettings) {
    Map<String, Object> all = new HashMap<>();
    all.put("fetch.max.bytes", memory.maxFetchBytes());
    all.put("max.partition.fetch.bytes", memory.maxPartitionFetchBytes());
    all.put("max.poll.records", memory.maxPollRecords());
    all.putAll(consumerSettings);
    return new KafkaConsumer<>(with(all), new StringDeserializer(), new ByteArrayDeserializer());
  }

  public Admin admin() {
    return Admin.create(with(Map.of("request.timeout.ms", 5000, "default.api.timeout.ms", 10000)));
  }

  private Map<String, Object> with(Map<String, Object> more) {
    Map<String, Object> all = new HashMap<>(settings);
    all.put("bootstrap.servers", servers);
    all.put("enable.metrics.push", false);
    all.putAll(more);
    return all;
  }

  /// Without the settings, which may hold a password.
  @Override
  public String toString() {
    return "Kafka[" + servers + ", prefix " + prefix + "]";
  }
}
