package dev.torg.alerts.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.AlertTopics;
import dev.torg.alerts.AlertsFixture;
import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertReason;
import dev.torg.api.v1.Offer;
import dev.torg.platform.Home;
import dev.torg.testkit.TestDatabase;
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

  private final FanoutStore store = new FanoutStore();
  private AlertsFixture fixture;
  private FanoutFixture fanout;

  @BeforeEach
  void open() {
    fixture = new AlertsFixture(TABLES);
    fanout = new FanoutFixture(fixture);
  }

  @AfterEach
  void close() {
    fanout.close();
    fixture.close();
  }

  @Test
  void run_manyOffersOfOneSeller_otherSellerIsServedNext() {
    String feed = AlertsFixture.newUser();
    String other = userOfSameHome(feed);
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
            fanout.producer,
            fanout.backpressure,
            new FanoutMetrics(fixture.database, fixture.clock, fixture.registry));
    assertThat(fanouts.waiting(homes(), now)).containsExactly(Home.of(feed));
    fanouts.run(fanout.leases.of(Home.of(feed)), now);
    fanouts.run(fanout.leases.of(Home.of(feed)), now);
    assertThat(unfinished(other)).isZero();
    assertThat(unfinished(feed)).isEqualTo(29);
  }

  /// A storm waits for delivery, which does not affect fan-outs.
  @Test
  void allowsBulk_stormLags_isTrue() {
    Offer offer = fixture.publish(AlertsFixture.newUser());
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
    fanout.producer.send(AlertTopics.STORM, alerts);
    assertThat(fanout.backpressure.allowsBulk()).isTrue();
  }

  private static List<Home> homes() {
    return IntStream.range(0, Home.COUNT).mapToObj(Home::new).toList();
  }

  /// A user of the same home.
  private static String userOfSameHome(String user) {
    String other = AlertsFixture.newUser();
    while (!Home.of(other).equals(Home.of(user))) {
      other = AlertsFixture.newUser();
    }
    return other;
  }

  private static Fanout audience(Offer offer, Instant now) {
    AlertReason seller = AlertReason.seller(offer.getSellerId());
    return Fanout.of(seller, AlertContent.newOffer(offer, now), Set.of(seller), now);
  }

  private void add(Fanout fanout) {
    fixture.database.transact(tx -> store.add(tx, List.of(fanout)));
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
