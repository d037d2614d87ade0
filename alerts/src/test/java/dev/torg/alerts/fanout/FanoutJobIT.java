package dev.torg.alerts.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.AlertTopics;
import dev.torg.alerts.AlertsFixture;
import dev.torg.alerts.HeldLease;
import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertProducer;
import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.wiring.AlertsWiring;
import dev.torg.api.v1.Offer;
import dev.torg.platform.Home;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.platform.kafka.TopicAdmin;
import dev.torg.platform.kafka.TopicPolicy;
import dev.torg.testkit.TestDatabase;
import dev.torg.testkit.TestKafka;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FanoutJobIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  private final KafkaCluster kafka =
      KafkaCluster.at(TestKafka.servers()).withPrefix(TestKafka.prefix());
  private final FanoutStore store = new FanoutStore();
  private AlertsFixture fixture;
  private HeldLease leases;
  private TopicAdmin topicAdmin;
  private AlertProducer topic;
  private BulkBackpressure gate;

  @BeforeEach
  void open() {
    fixture = new AlertsFixture(TABLES);
    leases = new HeldLease(fixture.database, fixture.clock);
    topicAdmin = new TopicAdmin(kafka, TopicPolicy.EMBEDDED);
    topicAdmin.ensure(AlertsWiring.TOPICS);
    topic = new AlertProducer(kafka);
    gate =
        new BulkBackpressure(
            kafka, "alerts.writer", "alerts.writer.bulk", "alerts.writer.storm", 3_000);
  }

  @AfterEach
  void close() {
    gate.close();
    topic.close();
    topicAdmin.close();
    leases.close();
    fixture.close();
  }

  @Test
  void run_manyOffersOfOneSeller_anotherSellerGetsItsTurn() {
    String feed = AlertsFixture.person();
    String other = neighbour(feed);
    Instant now = fixture.clock.instant();
    IntStream.range(0, 30)
        .forEach(i -> add(audience(fixture.publish(feed), now.minus(Duration.ofMinutes(30 - i)))));
    Offer single = fixture.publish(other);
    add(audience(single, now));
    FanoutJob fanouts =
        new FanoutJob(
            fixture.database,
            fixture.offers.offers(),
            fixture.favorites.audiences(),
            fixture.notifications.bell(),
            topic,
            gate,
            new FanoutMetrics(fixture.database, fixture.clock, fixture.registry));
    assertThat(fanouts.waiting(homes(), now)).containsExactly(Home.of(feed));
    fanouts.run(leases.of(Home.of(feed)), now);
    fanouts.run(leases.of(Home.of(feed)), now);
    assertThat(unfinished(other)).isZero();
    assertThat(unfinished(feed)).isEqualTo(29);
  }

  /// A storm waits to be written; that concerns no fan-out.
  @Test
  void letsPagesOut_stormIsBehind_pagesGoOn() {
    Offer offer = fixture.publish(AlertsFixture.person());
    AlertReason reason = AlertReason.seller(offer.getSellerId());
    List<Alert> alerts = new ArrayList<>();
    IntStream.range(0, 11_000)
        .forEach(
            i ->
                alerts.add(
                    new Alert(
                        "user:storm" + i,
                        AlertContent.newOffer(offer, Instant.EPOCH),
                        Set.of(reason))));
    topic.send(AlertTopics.STORM, alerts);
    assertThat(gate.allowsBulk()).isTrue();
  }

  private static List<Home> homes() {
    return IntStream.range(0, Home.COUNT).mapToObj(Home::new).toList();
  }

  /// Somebody of the same home.
  private static String neighbour(String person) {
    String other = AlertsFixture.person();
    while (!Home.of(other).equals(Home.of(person))) {
      other = AlertsFixture.person();
    }
    return other;
  }

  private static Fanout audience(Offer offer, Instant now) {
    AlertReason seller = AlertReason.seller(offer.getSellerId());
    return Fanout.of(seller, AlertContent.newOffer(offer, now), Set.of(seller), now);
  }

  private void add(Fanout fanout) {
    fixture.database.inTransaction(
        tx -> {
          store.add(tx, List.of(fanout));
          return true;
        });
  }

  private long unfinished(String seller) {
    return fixture.database.read(
        tx ->
            tx.sql(
                    """
                    SELECT count(*) FROM fanout
                     WHERE home = ? AND target = ? AND finished_at IS NULL
                    """)
                .set(Home.of(seller))
                .set(seller)
                .first(row -> row.longAt(1))
                .orElse(0L));
  }
}
