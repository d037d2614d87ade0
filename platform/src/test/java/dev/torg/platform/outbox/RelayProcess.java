package dev.torg.platform.outbox;

import dev.torg.platform.db.Database;
import dev.torg.platform.lease.Leases;
import dev.torg.platform.topics.Kafka;
import dev.torg.platform.topics.TopicRules;
import dev.torg.platform.topics.Topics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.CountDownLatch;

/// A process that relays until it is ended.
final class RelayProcess {
  private RelayProcess() {}

  public static void main(String[] args) throws InterruptedException {
    Kafka kafka = Kafka.at(args[1]).withPrefix(args[2]);
    try (Database database = Database.connect(args[0], 6);
        Topics topics = new Topics(kafka, TopicRules.EMBEDDED);
        Leases leases = new Leases(database, args[3])) {
      new Relay(database, new Outbox(), kafka, topics, new SimpleMeterRegistry()).start(leases);
      new CountDownLatch(1).await();
    }
  }
}
