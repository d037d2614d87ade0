package dev.torg.alerts.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.AlertTopics;
import dev.torg.alerts.wiring.AlertsWiring;
import dev.torg.api.v1.AlertEvent;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.platform.kafka.TopicAdmin;
import dev.torg.platform.kafka.TopicPolicy;
import dev.torg.testkit.TestKafka;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("skip-fake-citus")
class AlertProducerIT {
  private final KafkaCluster kafka =
      KafkaCluster.at(TestKafka.servers()).withPrefix(TestKafka.prefix());

  @Test
  void send_alertTooLargeForKafka_isShortened() throws Exception {
    try (TopicAdmin topicAdmin = new TopicAdmin(kafka, TopicPolicy.EMBEDDED);
        AlertProducer topic = new AlertProducer(kafka);
        Admin admin = kafka.admin()) {
      topicAdmin.ensure(AlertsWiring.TOPICS);
      Instant now = Instant.parse("2026-05-04T12:00:00Z");
      AlertContent content =
          new AlertContent(
              AlertEvent.Type.NEW_OFFER,
              OfferId.random(new Home(7)),
              "user:seller",
              1,
              now,
              now,
              "x".repeat(3_000_000),
              Optional.empty(),
              List.of());
      topic.send(
          AlertTopics.NORMAL,
          List.of(new Alert("user:1", content, Set.of(AlertReason.search("s")))));
      long records = 0;
      for (int partition = 0; partition < TopicPolicy.EMBEDDED.partitions(); partition++) {
        TopicPartition topicPartition =
            new TopicPartition(kafka.clusterName(AlertTopics.NORMAL), partition);
        records +=
            admin
                .listOffsets(Map.of(topicPartition, OffsetSpec.latest()))
                .partitionResult(topicPartition)
                .get()
                .offset();
      }
      assertThat(records).isEqualTo(1);
      ConfigResource config =
          new ConfigResource(ConfigResource.Type.TOPIC, kafka.clusterName(AlertTopics.NORMAL));
      assertThat(
              admin
                  .describeConfigs(List.of(config))
                  .all()
                  .get()
                  .get(config)
                  .get("max.message.bytes")
                  .value())
          .isEqualTo(Integer.toString(AlertProducer.MAX_REQUEST_BYTES));
    }
  }
}
