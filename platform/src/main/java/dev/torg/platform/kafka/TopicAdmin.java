package dev.torg.platform.kafka;

import dev.torg.platform.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ensures that the topics exist and are durable enough, and caches which exist.
public final class TopicAdmin implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TopicAdmin.class);

  /// How long a new topic may take to become available, and how often to check.
  private static final Duration CREATE_TIMEOUT = Duration.ofSeconds(30);

  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration HOSTED_PAUSE = Duration.ofMillis(20);

  private final KafkaCluster kafka;
  private final TopicPolicy rules;
  private final Admin admin;
  private final Set<String> cachedTopics = ConcurrentHashMap.newKeySet();

  public TopicAdmin(KafkaCluster kafka, TopicPolicy rules) {
    this.kafka = kafka;
    this.rules = rules;
    this.admin = kafka.admin();
  }

  /// Creates missing topics and refuses those that could lose acknowledged records, unless the policy allows
  /// weak ones. Existing topics keep their partitions and settings.
  public void ensure(Collection<TopicSpec> specs) {
    createMissing(specs);
    List<String> names = specs.stream().map(TopicSpec::name).toList();
    if (!rules.weakAllowed()) {
      refuseWeak(names);
    }
    cachedTopics.addAll(names);
  }

  /// Whether Kafka responds now.
  public boolean isReachable() {
    try {
      int brokers =
          admin.describeCluster().nodes().get(PROBE_TIMEOUT.toSeconds(), TimeUnit.SECONDS).size();
      return brokers > 0;
    } catch (ExecutionException | TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// Whether the topic exists; fails when Kafka cannot be queried.
  public boolean exists(String name) {
    if (cachedTopics.contains(name)) {
      return true;
    }
    boolean exists = describe(name) != null;
    if (exists) {
      cachedTopics.add(name);
    }
    return exists;
  }

  /// Queries Kafka again from now on: after a failure that a deleted topic would explain.
  public void clearCache() {
    cachedTopics.clear();
  }

  @Override
  public void close() {
    admin.close();
  }

  /// Each request covers all topics together: one by one they would take seconds.
  private void createMissing(Collection<TopicSpec> specs) {
    Set<String> existing = existing(specs);
    List<TopicSpec> missing =
        specs.stream().filter(spec -> !existing.contains(spec.name())).toList();
    if (missing.isEmpty()) {
      return;
    }
    int replicas = replicas();
    List<NewTopic> topics = missing.stream().map(spec -> creation(spec, replicas)).toList();
    for (KafkaFuture<Void> created : admin.createTopics(topics).values().values()) {
      try {
        await(created);
      } catch (TopicExistsException e) {
        LOG.debug("another process created the topics first: {}", e.getMessage());
      }
    }
    awaitHosted(topics);
  }

  private Set<String> existing(Collection<TopicSpec> specs) {
    Map<String, KafkaFuture<TopicDescription>> descriptions =
        admin
            .describeTopics(specs.stream().map(spec -> kafka.clusterName(spec.name())).toList())
            .topicNameValues();
    Set<String> existing = new HashSet<>();
    descriptions.forEach(
        (name, described) -> {
          if (orMissing(described) != null) {
            existing.add(kafka.localName(name));
          }
        });
    return existing;
  }

  /// Topic creation returns before the brokers serve the topic. A producer whose first batch is refused
  /// meanwhile but not its second may reorder them.
  private void awaitHosted(List<NewTopic> topics) {
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    for (NewTopic topic : topics) {
      for (int number = 0; number < topic.numPartitions(); number++) {
        ends.put(new TopicPartition(topic.name(), number), OffsetSpec.latest());
      }
    }
    long deadline = System.nanoTime() + CREATE_TIMEOUT.toNanos();
    while (!isHosted(ends, System.nanoTime() > deadline)) {
      LockSupport.parkNanos(HOSTED_PAUSE.toNanos());
    }
  }

  private boolean isHosted(Map<TopicPartition, OffsetSpec> ends, boolean lastTry) {
    try {
      await(admin.listOffsets(ends).all());
      return true;
    } catch (RetriableException e) {
      if (lastTry) {
        throw e;
      }
      return false;
    }
  }

  private int replicas() {
    int brokers = await(admin.describeCluster().nodes()).size();
    if (brokers < rules.replicas() && !rules.weakAllowed()) {
      throw weak("the cluster has %d brokers, %d needed".formatted(brokers, rules.replicas()));
    }
    return Math.min(brokers, rules.replicas());
  }

  private NewTopic creation(TopicSpec spec, int replicas) {
    Map<String, String> configs = new HashMap<>();
    configs.put("retention.ms", Long.toString(spec.retention().toMillis()));
    configs.put("min.insync.replicas", Integer.toString(Math.min(replicas, rules.minInsync())));
    configs.put("unclean.leader.election.enable", "false");
    spec.maxMessageBytes()
        .ifPresent(bytes -> configs.put("max.message.bytes", Integer.toString(bytes)));
    if (replicas == 1) {
      configs.put("flush.messages", "1");
    }
    return new NewTopic(kafka.clusterName(spec.name()), rules.partitions(), (short) replicas)
        .configs(configs);
  }

  private void refuseWeak(List<String> names) {
    List<String> problems = new ArrayList<>();
    names.forEach(name -> problems.addAll(weaknesses(name)));
    if (!problems.isEmpty()) {
      throw weak(String.join("; ", problems));
    }
  }

  private List<String> weaknesses(String name) {
    List<String> problems = new ArrayList<>();
    TopicDescription topic = describe(name);
    if (topic == null) {
      return List.of(name + " does not exist");
    }
    int replicas = topic.partitions().stream().mapToInt(p -> p.replicas().size()).min().orElse(0);
    if (replicas < rules.replicas()) {
      problems.add("%s has %d replicas, %d needed".formatted(name, replicas, rules.replicas()));
    }
    Config config = config(name);
    if (Integer.parseInt(config.get("min.insync.replicas").value()) < rules.minInsync()) {
      problems.add("%s has min.insync.replicas below %d".formatted(name, rules.minInsync()));
    }
    if (Boolean.parseBoolean(config.get("unclean.leader.election.enable").value())) {
      problems.add(name + " allows unclean leader elections");
    }
    return problems;
  }

  private static Failure weak(String problem) {
    return Failure.unavailable(
        "kafka.weak",
        "Kafka could lose acknowledged events: " + problem + " (--allow-weak-kafka accepts it)",
        null);
  }

  private Config config(String name) {
    ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, kafka.clusterName(name));
    return Objects.requireNonNull(await(admin.describeConfigs(List.of(topic)).all()).get(topic));
  }

  private @Nullable TopicDescription describe(String name) {
    String clusterName = kafka.clusterName(name);
    return orMissing(
        Objects.requireNonNull(
            admin.describeTopics(List.of(clusterName)).topicNameValues().get(clusterName)));
  }

  private static @Nullable TopicDescription orMissing(KafkaFuture<TopicDescription> described) {
    try {
      return await(described);
    } catch (UnknownTopicOrPartitionException | InvalidTopicException e) {
      return null;
    }
  }

  private static <T> T await(KafkaFuture<T> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for Kafka", e);
    }
  }
}
