package dev.torg.favorites;

import static dev.torg.favorites.FavoritesFixture.person;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.platform.OfferId;
import dev.torg.platform.lease.Leases;
import dev.torg.platform.outbox.Relay;
import dev.torg.platform.topics.ConsumerLoop;
import dev.torg.platform.topics.Kafka;
import dev.torg.platform.topics.Parked;
import dev.torg.platform.topics.TopicRules;
import dev.torg.platform.topics.Topics;
import dev.torg.testkit.TestDatabase;
import dev.torg.testkit.TestKafka;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// From a saved offer through outbox, relay and topic to its count.
class ProjectionsOverKafkaIT {
  @RegisterExtension static final TestDatabase TABLES = FavoritesFixture.tables();

  @Test
  void saveCount_topicDrained_isExact() {
    Kafka kafka = Kafka.at(TestKafka.servers()).withPrefix(TestKafka.prefix());
    try (FavoritesFixture fixture = new FavoritesFixture(TABLES);
        Topics topics = new Topics(kafka, TopicRules.EMBEDDED);
        Leases leases = new Leases(fixture.database)) {
      topics.ensure(FavoritesWiring.TOPICS);
      new Relay(fixture.database, fixture.outbox, kafka, topics, new SimpleMeterRegistry())
          .start(leases);
      Parked parked = new Parked(fixture.database, fixture.clock);
      try (ConsumerLoop loop = fixture.wiring.projections(kafka, parked)) {
        loop.start();
        OfferId offer = OfferId.parse(fixture.offer());
        OfferId last = OfferId.parse(fixture.offer());
        for (int i = 0; i < 30; i++) {
          String owner = person();
          fixture.save(owner, List.of(offer.toString()));
          if (i % 3 == 0) {
            fixture.remove(owner, List.of(offer.toString()));
          }
          fixture.save(owner, List.of(last.toString()));
        }
        // An owner's events come in order: behind the last one nothing is under way.
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> fixture.wiring.audiences().savers(last, "", 100).size() == 30);
        assertThat(fixture.wiring.audiences().savers(offer, "", 100)).hasSize(20);
        assertThat(fixture.wiring.audiences().saveCount(offer)).isEqualTo(20);
        assertThat(parked.list(1)).isEmpty();
      }
    }
  }
}
