package dev.torg.platform.relay;

import dev.torg.platform.db.Database;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.platform.kafka.TopicAdmin;
import dev.torg.platform.kafka.TopicPolicy;
import dev.torg.platform.lease.LeaseCoordinator;
import dev.torg.platform.outbox.Outbox;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.CountDownLatch;

/// A process that relays until it is terminated.
final class RelayProcess {
  private RelayProcess() {}

  public static void main(String[] args) throws InterruptedException {
    KafkaCluster kafka = KafkaCluster.at(args[1]).withPrefix(args[2]);
    try (Database database = Database.connect(args[0], 6);
        TopicAdmin topicAdmin = new TopicAdmin(kafka, TopicPolicy.EMBEDDED);
        LeaseCoordinator leases = new LeaseCoordinator(database, args[3])) {
      new Relay(database, new Outbox(), kafka, topicAdmin, new SimpleMeterRegistry()).start(leases);
      new CountDownLatch(1).await();
    }
  }
}
