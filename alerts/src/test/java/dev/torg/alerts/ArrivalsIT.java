package dev.torg.alerts;

import static dev.torg.alerts.AlertsFixture.person;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.alert.Alert;
import dev.torg.alerts.alert.AlertTopic;
import dev.torg.alerts.arrive.Arrivals;
import dev.torg.api.v1.Offer;
import dev.torg.platform.Home;
import dev.torg.platform.topics.Event;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Somebody whose favorite has just been projected.
class ArrivalsIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  private final String reader = person();
  private final String seller = person();
  private final List<Alert> sent = new ArrayList<>();
  private final List<Alert> bulk = new ArrayList<>();
  private AlertsFixture fixture;
  private Arrivals arrivals;

  @BeforeEach
  void open() {
    fixture = new AlertsFixture(TABLES);
    arrivals =
        new Arrivals(
            fixture.database,
            fixture.offers.face(),
            (topic, alerts) -> {
              sent.addAll(alerts);
              bulk.addAll(topic.equals(AlertTopic.STORM) ? alerts : List.of());
            },
            fixture.settings.debounce(),
            fixture.clock);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private void project() throws Exception {
    List<Event> events =
        fixture.database.read(
            tx ->
                tx.sql("SELECT key, seq, payload FROM outbox WHERE topic = ? ORDER BY seq")
                    .set("torg.favorites")
                    .list(
                        row ->
                            new Event(
                                "torg.favorites",
                                0,
                                row.longAt(2),
                                row.textAt(1),
                                row.longAt(2),
                                row.bytesAt(3),
                                TestClock.START,
                                false)));
    fixture.database.inTransaction(tx -> tx.sql("DELETE FROM outbox").update());
    arrivals.handle(events);
  }

  private Optional<Instant> due(Offer offer) {
    return fixture.database.read(
        tx ->
            tx.sql("SELECT run_at FROM price_due WHERE home = ? AND offer_id = ?")
                .set(Home.of(seller))
                .set(Long.parseLong(offer.getId()))
                .first(row -> row.instantAt(1)));
  }

  /// The run of the first change may have gone without this saver: another one is to come.
  @Test
  void handle_priceChangedSinceSavingAndNotRested_becomesDue() throws Exception {
    Offer offer = fixture.publish(seller);
    Offer steady = fixture.publish(seller);
    fixture.save(reader, offer);
    fixture.save(reader, steady);
    fixture.reprice(offer, 90_000);
    fixture.clock.advance(Duration.ofSeconds(50));
    fixture.reprice(offer, 80_000);
    fixture.clock.advance(Duration.ofSeconds(11));
    project();
    assertThat(sent).isEmpty();
    assertThat(due(offer)).isPresent();
    assertThat(due(steady)).isEmpty();
  }

  @Test
  void handle_priceChangedSinceSavingAndRested_isSent() throws Exception {
    Offer offer = fixture.publish(seller);
    fixture.save(reader, offer);
    fixture.reprice(offer, 90_000);
    fixture.clock.advance(Duration.ofSeconds(61));
    project();
    assertThat(sent).extracting(Alert::reader).containsExactly(reader);
    assertThat(due(offer)).isEmpty();
  }

  @Test
  void handle_manyOffersOfOneSeller_doNotTravelWithOthers() throws Exception {
    String calm = person();
    fixture.follow(reader, seller);
    fixture.follow(reader, calm);
    fixture.clock.advance(Duration.ofSeconds(1));
    IntStream.range(0, 21).forEach(_ -> fixture.publish(seller));
    IntStream.range(0, 20).forEach(_ -> fixture.publish(calm));
    project();
    assertThat(sent).hasSize(41);
    assertThat(bulk).hasSize(21).extracting(alert -> alert.news().seller()).containsOnly(seller);
  }

  /// As long as anything may lag.
  @Test
  void handle_movedFavorite_looksForOffersInFlight() throws Exception {
    var token = fixture.tokens.issueAnonymous();
    fixture.follow(token.subject(), seller);
    fixture.follow(reader, seller);
    fixture.clock.advance(Duration.ofHours(1));
    fixture.publish(seller);
    fixture.clock.advance(Duration.ofMinutes(30));
    Offer inFlight = fixture.publish(seller);
    fixture.clock.advance(Duration.ofMinutes(14));
    fixture.database.inTransaction(tx -> tx.sql("DELETE FROM outbox").update());
    fixture.move(token, reader);
    project();
    assertThat(sent)
        .extracting(alert -> alert.news().offer().toString())
        .containsExactly(inFlight.getId());
    assertThat(sent).extracting(Alert::reader).containsExactly(reader);
  }
}
