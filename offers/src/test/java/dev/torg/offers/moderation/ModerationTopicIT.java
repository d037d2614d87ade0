package dev.torg.offers.moderation;

import static dev.torg.offers.wiring.OffersFixture.await;
import static dev.torg.offers.wiring.OffersFixture.car;
import static dev.torg.offers.wiring.OffersFixture.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.ModerationEvent;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.Opinion;
import dev.torg.offers.OfferTopics;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.offers.wiring.OffersWiring;
import dev.torg.platform.Caller;
import dev.torg.platform.OfferId;
import dev.torg.platform.kafka.ConsumerBinding;
import dev.torg.platform.kafka.ConsumerLoop;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.platform.kafka.ParkedEvent;
import dev.torg.platform.kafka.ParkedEventStore;
import dev.torg.platform.kafka.TopicAdmin;
import dev.torg.platform.kafka.TopicPolicy;
import dev.torg.testkit.TestKafka;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The complete path from a record in Kafka to the offer.
@Tag("skip-fake-citus")
class ModerationTopicIT {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  private static final Caller SELLER = user("seller");
  private static final String UNKNOWN = "0000000000000000";

  private final KafkaCluster kafka =
      KafkaCluster.at(TestKafka.servers()).withPrefix(TestKafka.prefix());
  private final KafkaProducer<String, byte[]> producer = kafka.producer(Map.of());
  private final ParkedEventStore parkedEvents =
      new ParkedEventStore(OFFERS.database(), Instant::now);
  private ConsumerLoop loop;

  @BeforeEach
  void start() {
    try (TopicAdmin topicAdmin = new TopicAdmin(kafka, TopicPolicy.EMBEDDED)) {
      topicAdmin.ensure(OffersWiring.TOPICS);
    }
    ConsumerBinding consumer =
        OFFERS.consumers().stream()
            .filter(binding -> binding.spec().topics().contains(OfferTopics.MODERATION))
            .findFirst()
            .orElseThrow();
    loop =
        new ConsumerLoop(
            kafka,
            consumer.spec().withAttempts(2, Duration.ofMillis(20)),
            consumer.handler(),
            parkedEvents,
            new SimpleMeterRegistry());
    loop.start();
  }

  @AfterEach
  void stop() {
    loop.close();
    producer.close();
  }

  @Test
  void consume_opinions_appliesThemAndParksUnknownOffer() throws Exception {
    Offer offer = await(OFFERS.offers().publish(SELLER, car("Audi", 1)));
    publish(UNKNOWN, Opinion.Verdict.BAN);
    publish(offer.getId(), Opinion.Verdict.BAN);
    until(() -> status(offer) == Status.BANNED);
    until(() -> !parkedEvents.list(10).isEmpty());

    List<ParkedEvent> events = parkedEvents.list(10);
    assertThat(events).hasSize(1);
    assertThat(events.getFirst().event().key()).isEqualTo(UNKNOWN);
    publish(offer.getId(), Opinion.Verdict.UNBAN);
    until(() -> status(offer) == Status.ACTIVE);
  }

  private static Status status(Offer offer) {
    return await(OFFERS.offers().get(Optional.of(SELLER), OfferId.parse(offer.getId())))
        .getStatus();
  }

  private void publish(String offerId, Opinion.Verdict verdict) throws Exception {
    byte[] payload =
        ModerationEvent.newBuilder()
            .setOfferId(offerId)
            .setOpinion(Opinion.newBuilder().setVerdict(verdict))
            .build()
            .toByteArray();
    producer
        .send(new ProducerRecord<>(kafka.clusterName(OfferTopics.MODERATION), offerId, payload))
        .get();
  }

  private static void until(BooleanSupplier condition) {
    Instant end = Instant.now().plusSeconds(60);
    while (!condition.getAsBoolean()) {
      assertThat(Instant.now()).isBefore(end);
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }
}
