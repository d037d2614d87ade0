package dev.torg.alerts.price;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.AlertTopics;
import dev.torg.alerts.AlertsFixture;
import dev.torg.alerts.HeldLease;
import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertProducer;
import dev.torg.api.v1.Offer;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.testkit.TestDatabase;
import dev.torg.testkit.TestKafka;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PriceAlertJobIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  private static final Home CROWDED = new Home(0);
  private static final Home CALM = new Home(Home.GROUPS);

  private final PriceDebounceStore store = new PriceDebounceStore();

  /// A feed has repriced a catalogue that no user saved, in another home of the same lease.
  @Test
  void run_manyDueInOneHome_otherHomeIsServed() {
    try (AlertsFixture fixture = new AlertsFixture(TABLES);
        HeldLease leases = new HeldLease(fixture.database, fixture.clock);
        AlertProducer topic =
            new AlertProducer(
                KafkaCluster.at(TestKafka.servers()).withPrefix(TestKafka.prefix()))) {
      assertThat(CROWDED.group()).isEqualTo(CALM.group());
      Instant now = fixture.clock.instant();
      add(fixture, offersOf(CROWDED, 300), now.minus(Duration.ofHours(1)));
      add(fixture, offersOf(CALM, 1), now);
      PriceAlertJob prices =
          new PriceAlertJob(
              fixture.database,
              fixture.offers.offers(),
              fixture.favorites.audiences(),
              topic,
              () -> true,
              fixture.settings);
      assertThat(prices.due(List.of(CROWDED, CALM), now)).containsOnly(CROWDED, CALM);
      boolean more = prices.run(leases.of(CALM), now);
      assertThat(more).isTrue();
      assertThat(due(fixture, CALM)).isZero();
      assertThat(due(fixture, CROWDED)).isBetween(1L, 299L);
      while (prices.run(leases.of(CALM), now)) {
        assertThat(due(fixture, CROWDED)).isLessThan(300);
      }
      assertThat(due(fixture, CROWDED)).isZero();
    }
  }

  /// What a run sends: the topics, and the sellers of the offers.
  private final List<String> topics = new ArrayList<>();

  private final List<String> sellers = new ArrayList<>();
  private boolean allowsStorms = true;

  private void send(String topic, Iterable<Alert> alerts) {
    alerts.forEach(
        alert -> {
          topics.add(topic);
          sellers.add(alert.content().seller());
        });
  }

  private PriceAlertJob job(AlertsFixture fixture) {
    return new PriceAlertJob(
        fixture.database,
        fixture.offers.offers(),
        fixture.favorites.audiences(),
        this::send,
        () -> allowsStorms,
        fixture.settings);
  }

  /// Offers that a user has saved and whose prices are due.
  private void repriceSaved(AlertsFixture fixture, String seller, int count) throws Exception {
    List<OfferId> offers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Offer offer = fixture.publish(seller);
      fixture.save("user:saver", offer);
      offers.add(OfferId.parse(offer.getId()));
    }
    fixture.projectFavorites();
    add(fixture, offers, fixture.clock.instant());
  }

  /// A seller in the same home.
  private static String userOfSameHome(String seller) {
    return Stream.generate(AlertsFixture::newUser)
        .filter(other -> Home.of(other).equals(Home.of(seller)))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void run_manyPricesOfOneSeller_goByTheTopicOfStorms() throws Exception {
    try (AlertsFixture fixture = new AlertsFixture(TABLES);
        HeldLease leases = new HeldLease(fixture.database, fixture.clock)) {
      String seller = AlertsFixture.newUser();
      repriceSaved(fixture, seller, 21);
      repriceSaved(fixture, userOfSameHome(seller), 1);
      fixture.clock.advance(Duration.ofSeconds(1));
      job(fixture).run(leases.of(Home.of(seller)), fixture.clock.instant());
      assertThat(topics.stream().filter(AlertTopics.STORM::equals)).hasSize(21);
      assertThat(topics.stream().filter(AlertTopics.NORMAL::equals)).hasSize(1);
    }
  }

  @Test
  void run_backpressure_stormWaitsAndOtherSellersAreServed() throws Exception {
    try (AlertsFixture fixture = new AlertsFixture(TABLES);
        HeldLease leases = new HeldLease(fixture.database, fixture.clock)) {
      String seller = AlertsFixture.newUser();
      String otherSeller = userOfSameHome(seller);
      // Two turns of 50 prices, then one of 25 and the other seller's, which is due last.
      repriceSaved(fixture, seller, 125);
      fixture.clock.advance(Duration.ofMillis(1));
      repriceSaved(fixture, otherSeller, 1);
      fixture.clock.advance(Duration.ofSeconds(1));
      allowsStorms = false;
      PriceAlertJob prices = job(fixture);
      while (prices.run(leases.of(Home.of(seller)), fixture.clock.instant())) {
        assertThat(sellers).doesNotContain(seller);
      }
      assertThat(sellers).containsExactly(otherSeller);
      allowsStorms = true;
      fixture.clock.advance(Duration.ofSeconds(10));
      while (prices.run(leases.of(Home.of(seller)), fixture.clock.instant())) {
        assertThat(sellers).contains(seller);
      }
      assertThat(sellers).hasSize(126);
    }
  }

  private static List<OfferId> offersOf(Home home, int count) {
    return Stream.generate(() -> OfferId.random(home)).limit(count).toList();
  }

  private void add(AlertsFixture fixture, List<OfferId> offers, Instant runAt) {
    List<PriceDebounceStore.Changed> changes =
        IntStream.range(0, offers.size())
            .mapToObj(i -> new PriceDebounceStore.Changed(offers.get(i), 2, runAt))
            .toList();
    fixture.database.transact(tx -> store.add(tx, changes, runAt));
  }

  private static long due(AlertsFixture fixture, Home home) {
    return fixture.database.read(
        tx ->
            tx.sql("SELECT count(*) FROM price_due WHERE home = ?")
                .set(home)
                .first(row -> row.longAt(1))
                .orElse(0L));
  }
}
