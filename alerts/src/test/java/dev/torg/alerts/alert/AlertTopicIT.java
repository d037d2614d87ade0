package dev.torg.alerts.alert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.AlertsWiring;
import dev.torg.api.v1.AlertEvent;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.topics.Kafka;
import dev.torg.platform.topics.TopicRules;
import dev.torg.platform.topics.Topics;
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
import org.junit.jupiter.api.Test;

class AlertTopicIT {
  private final Kafka kafka = Kafka.at(TestKafka.servers()).withPrefix(TestKafka.prefix());

  @Test
  void send_alertLargerThanKafkaTakes_isSentShortened() throws Exception {
    try (Topics topics = new Topics(kafka, TopicRules.EMBEDDED);
        AlertTopic topic = new AlertTopic(kafka);
        Admin admin = kafka.admin()) {
      topics.ensure(AlertsWiring.TOPICS);
      Instant now = Instant.parse("2026-05-04T12:00:00Z");
      News news =
          new News(
              AlertEvent.Type.NEW_OFFER,
              OfferId.random(new Home(7)),
              "user:seller",
              1,
              now,
              now,
              "x".repeat(3_000_000),
              Optional.empty(),
              List.of());
      topic.send(AlertTopic.NORMAL, List.of(new Alert("user:1", news, Set.of(Reason.search("s")))));
      long records = 0;
      for (int partition = 0; partition < TopicRules.EMBEDDED.partitions(); partition++) {
        TopicPartition of = new TopicPartition(kafka.named(AlertTopic.NORMAL), partition);
        records +=
            admin.listOffsets(Map.of(of, OffsetSpec.latest())).partitionResult(of).get().offset();
      }
      assertThat(records).isEqualTo(1);
      ConfigResource config =
          new ConfigResource(ConfigResource.Type.TOPIC, kafka.named(AlertTopic.NORMAL));
      assertThat(
              admin
                  .describeConfigs(List.of(config))
                  .all()
                  .get()
                  .get(config)
                  .get("max.message.bytes")
                  .value())
          .isEqualTo(Integer.toString(AlertTopic.MAX_REQUEST_BYTES));
    }
  }
}
