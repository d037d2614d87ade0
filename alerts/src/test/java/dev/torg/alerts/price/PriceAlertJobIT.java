package dev.torg.alerts.price;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.AlertsFixture;
import dev.torg.alerts.HeldLease;
import dev.torg.alerts.event.AlertProducer;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.testkit.TestDatabase;
import dev.torg.testkit.TestKafka;
import java.time.Duration;
import java.time.Instant;
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

  /// A feed has repriced a catalogue that nobody saved, in another home of the same lease.
  @Test
  void run_manyDueInOneHome_otherHomeGetsItsTurn() {
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

  private static List<OfferId> offersOf(Home home, int count) {
    return Stream.generate(() -> OfferId.random(home)).limit(count).toList();
  }

  private void add(AlertsFixture fixture, List<OfferId> offers, Instant runAt) {
    List<PriceDebounceStore.Changed> changes =
        IntStream.range(0, offers.size())
            .mapToObj(i -> new PriceDebounceStore.Changed(offers.get(i), 2, runAt))
            .toList();
    fixture.database.inTransaction(
        tx -> {
          store.add(tx, changes, runAt);
          return true;
        });
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
