package dev.torg.favorites;

import static dev.torg.favorites.FavoritesFixture.newUser;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.favorites.wiring.FavoritesWiring;
import dev.torg.platform.OfferId;
import dev.torg.platform.kafka.ConsumerLoop;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.platform.kafka.ParkedEventStore;
import dev.torg.platform.kafka.TopicAdmin;
import dev.torg.platform.kafka.TopicPolicy;
import dev.torg.platform.lease.LeaseCoordinator;
import dev.torg.platform.relay.Relay;
import dev.torg.testkit.TestDatabase;
import dev.torg.testkit.TestKafka;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// From a saved offer through outbox, relay and topic to its count.
@Tag("skip-fake-citus")
class ProjectionsOverKafkaIT {
  @RegisterExtension static final TestDatabase TABLES = FavoritesFixture.tables();

  @Test
  void saveCount_topicDrained_isExact() {
    KafkaCluster kafka = KafkaCluster.at(TestKafka.servers()).withPrefix(TestKafka.prefix());
    try (FavoritesFixture fixture = new FavoritesFixture(TABLES);
        TopicAdmin topicAdmin = new TopicAdmin(kafka, TopicPolicy.EMBEDDED);
        LeaseCoordinator leases = new LeaseCoordinator(fixture.database)) {
      topicAdmin.ensure(FavoritesWiring.TOPICS);
      new Relay(fixture.database, fixture.outbox, kafka, topicAdmin, new SimpleMeterRegistry())
          .start(leases);
      ParkedEventStore parkedEvents = new ParkedEventStore(fixture.database, fixture.clock);
      try (ConsumerLoop loop = fixture.services.projections(kafka, parkedEvents)) {
        loop.start();
        OfferId offer = OfferId.parse(fixture.offer());
        OfferId last = OfferId.parse(fixture.offer());
        for (int i = 0; i < 30; i++) {
          String owner = newUser();
          fixture.save(owner, List.of(offer.toString()));
          if (i % 3 == 0) {
            fixture.remove(owner, List.of(offer.toString()));
          }
          fixture.save(owner, List.of(last.toString()));
        }
        // An owner's events arrive in order: after the last one none is in flight.
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> fixture.wiring.audiences().savers(last, "", 100).size() == 30);
        assertThat(fixture.wiring.audiences().savers(offer, "", 100)).hasSize(20);
        assertThat(fixture.wiring.audiences().saveCount(offer)).isEqualTo(20);
        assertThat(parkedEvents.list(1)).isEmpty();
      }
    }
  }
}
