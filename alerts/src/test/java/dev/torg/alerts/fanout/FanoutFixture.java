package dev.torg.alerts.fanout;

import dev.torg.alerts.AlertsFixture;
import dev.torg.alerts.HeldLease;
import dev.torg.alerts.event.AlertProducer;
import dev.torg.alerts.wiring.AlertsWiring;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.platform.kafka.TopicAdmin;
import dev.torg.platform.kafka.TopicPolicy;
import dev.torg.testkit.TestKafka;

/// What the fan-out jobs need: leases, and the topics of alerts on a real Kafka.
public final class FanoutFixture implements AutoCloseable {
  public final KafkaCluster kafka =
      KafkaCluster.at(TestKafka.servers()).withPrefix(TestKafka.prefix());
  public final AlertProducer producer = new AlertProducer(kafka);
  public final BulkBackpressure backpressure =
      new BulkBackpressure(
          kafka, "alerts.writer", "alerts.writer.bulk", "alerts.writer.storm", 3_000);
  public final HeldLease leases;

  public FanoutFixture(AlertsFixture fixture) {
    leases = new HeldLease(fixture.database, fixture.clock);
    try (TopicAdmin topicAdmin = new TopicAdmin(kafka, TopicPolicy.EMBEDDED)) {
      topicAdmin.ensure(AlertsWiring.TOPICS);
    }
  }

  @Override
  public void close() {
    backpressure.close();
    producer.close();
    leases.close();
  }
}
