package dev.torg.platform.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.torg.embedded.EmbeddedKafka;
import dev.torg.platform.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// On a broker of its own, which is as weak as a cluster can be.
class TopicsIT {
  private static EmbeddedKafka broker;
  private static Kafka kafka;
  private static Admin admin;

  @BeforeAll
  static void start() {
    broker = EmbeddedKafka.temporary();
    kafka = Kafka.at(broker.bootstrapServers()).withPrefix("here-");
    admin = kafka.admin();
  }

  @AfterAll
  static void close() {
    admin.close();
    broker.close();
  }

  @Test
  void ensure_embedded_createsDurableTopicsOnce() throws Exception {
    ensure(TopicRules.EMBEDDED, "once");
    ensure(TopicRules.EMBEDDED, "once");
    assertThat(partitions("once")).isEqualTo(TopicRules.EMBEDDED.partitions());
    assertThat(config("once").get("flush.messages").value()).isEqualTo("1");
    assertThat(config("once").get("retention.ms").value()).isEqualTo("604800000");
    assertThat(config("once").get("unclean.leader.election.enable").value()).isEqualTo("false");
  }

  @Test
  void ensure_givenClusterTooSmall_refuses() {
    assertThatThrownBy(() -> ensure(TopicRules.GIVEN, "never"))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("1 brokers")
        .hasMessageContaining("--allow-weak-kafka");
    try (Topics topics = new Topics(kafka, TopicRules.GIVEN)) {
      assertThat(topics.exists("never")).isFalse();
    }
  }

  @Test
  void ensure_existingTopicWeak_refusesAndNamesEachWeakness() throws Exception {
    ensure(TopicRules.EMBEDDED, "weak");
    allowUncleanElections("weak");
    assertThatThrownBy(() -> ensure(TopicRules.GIVEN, "weak"))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("weak has 1 replicas, 3 needed")
        .hasMessageContaining("min.insync.replicas below 2")
        .hasMessageContaining("unclean leader elections");
  }

  @Test
  void ensure_weakAllowed_takesWhatThereIs() throws Exception {
    ensure(TopicRules.GIVEN_WEAK, "allowed");
    assertThat(partitions("allowed")).isEqualTo(64);
    assertThat(config("allowed").get("min.insync.replicas").value()).isEqualTo("1");
  }

  @Test
  void answers_followsTheBroker() {
    EmbeddedKafka passing = EmbeddedKafka.temporary();
    try (Topics topics = new Topics(Kafka.at(passing.bootstrapServers()), TopicRules.EMBEDDED)) {
      assertThat(topics.answers()).isTrue();
      passing.close();
      await().atMost(Duration.ofSeconds(20)).until(() -> !topics.answers());
    }
  }

  private static void ensure(TopicRules rules, String name) {
    try (Topics topics = new Topics(kafka, rules)) {
      topics.ensure(List.of(new TopicSpec(name, Duration.ofDays(7))));
      assertThat(topics.exists(name)).isTrue();
    }
  }

  private static int partitions(String name) throws Exception {
    return admin
        .describeTopics(List.of(kafka.named(name)))
        .allTopicNames()
        .get()
        .get(kafka.named(name))
        .partitions()
        .size();
  }

  private static Config config(String name) throws Exception {
    return admin.describeConfigs(List.of(resource(name))).all().get().get(resource(name));
  }

  private static void allowUncleanElections(String name) throws Exception {
    AlterConfigOp change =
        new AlterConfigOp(
            new ConfigEntry("unclean.leader.election.enable", "true"), AlterConfigOp.OpType.SET);
    admin.incrementalAlterConfigs(Map.of(resource(name), List.of(change))).all().get();
    await().until(() -> config(name).get(change.configEntry().name()).value().equals("true"));
  }

  private static ConfigResource resource(String name) {
    return new ConfigResource(ConfigResource.Type.TOPIC, kafka.named(name));
  }
}
