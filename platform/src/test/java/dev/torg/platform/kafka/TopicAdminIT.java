package dev.torg.platform.kafka;

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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Runs on its own single broker, the weakest possible cluster.
@Tag("skip-fake-citus")
class TopicAdminIT {
  private static EmbeddedKafka broker;
  private static KafkaCluster kafka;
  private static Admin admin;

  @BeforeAll
  static void start() {
    broker = EmbeddedKafka.temporary();
    kafka = KafkaCluster.at(broker.bootstrapServers()).withPrefix("here-");
    admin = kafka.admin();
  }

  @AfterAll
  static void close() {
    admin.close();
    broker.close();
  }

  @Test
  void ensure_embedded_createsDurableTopicsOnce() throws Exception {
    ensure(TopicPolicy.EMBEDDED, "once");
    ensure(TopicPolicy.EMBEDDED, "once");
    assertThat(partitions("once")).isEqualTo(TopicPolicy.EMBEDDED.partitions());
    assertThat(config("once").get("flush.messages").value()).isEqualTo("1");
    assertThat(config("once").get("retention.ms").value()).isEqualTo("604800000");
    assertThat(config("once").get("unclean.leader.election.enable").value()).isEqualTo("false");
  }

  @Test
  void ensure_externalClusterTooSmall_refuses() {
    assertThatThrownBy(() -> ensure(TopicPolicy.EXTERNAL, "never"))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("1 brokers")
        .hasMessageContaining("--allow-weak-kafka");
    try (TopicAdmin topicAdmin = new TopicAdmin(kafka, TopicPolicy.EXTERNAL)) {
      assertThat(topicAdmin.exists("never")).isFalse();
    }
  }

  @Test
  void ensure_existingTopicWeak_refusesAndNamesEachWeakness() throws Exception {
    ensure(TopicPolicy.EMBEDDED, "weak");
    allowUncleanElections("weak");
    assertThatThrownBy(() -> ensure(TopicPolicy.EXTERNAL, "weak"))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("weak has 1 replicas, 3 needed")
        .hasMessageContaining("min.insync.replicas below 2")
        .hasMessageContaining("unclean leader elections");
  }

  @Test
  void ensure_weakAllowed_acceptsExistingTopics() throws Exception {
    ensure(TopicPolicy.EXTERNAL_UNCHECKED, "allowed");
    assertThat(partitions("allowed")).isEqualTo(64);
    assertThat(config("allowed").get("min.insync.replicas").value()).isEqualTo("1");
  }

  @Test
  void isResponding_followsTheBroker() {
    EmbeddedKafka kafka = EmbeddedKafka.temporary();
    try (TopicAdmin topicAdmin =
        new TopicAdmin(KafkaCluster.at(kafka.bootstrapServers()), TopicPolicy.EMBEDDED)) {
      assertThat(topicAdmin.isReachable()).isTrue();
      kafka.close();
      await().atMost(Duration.ofSeconds(20)).until(() -> !topicAdmin.isReachable());
    }
  }

  private static void ensure(TopicPolicy rules, String name) {
    try (TopicAdmin topicAdmin = new TopicAdmin(kafka, rules)) {
      topicAdmin.ensure(List.of(new TopicSpec(name, Duration.ofDays(7))));
      assertThat(topicAdmin.exists(name)).isTrue();
    }
  }

  private static int partitions(String name) throws Exception {
    return admin
        .describeTopics(List.of(kafka.clusterName(name)))
        .allTopicNames()
        .get()
        .get(kafka.clusterName(name))
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
    return new ConfigResource(ConfigResource.Type.TOPIC, kafka.clusterName(name));
  }
}
