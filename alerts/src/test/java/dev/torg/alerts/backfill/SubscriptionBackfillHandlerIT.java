package dev.torg.alerts.backfill;

import static dev.torg.alerts.AlertsFixture.newUser;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.AlertsFixture;
import dev.torg.alerts.event.Alert;
import dev.torg.api.v1.Offer;
import dev.torg.favorites.FavoriteTopics;
import dev.torg.platform.Home;
import dev.torg.platform.kafka.Event;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Savers whose favorite has just been projected.
class SubscriptionBackfillHandlerIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  private final String recipient = newUser();
  private final String seller = newUser();
  private final List<Alert> sent = new ArrayList<>();
  private AlertsFixture fixture;
  private SubscriptionBackfillHandler arrivals;

  @BeforeEach
  void open() {
    fixture = new AlertsFixture(TABLES);
    arrivals =
        new SubscriptionBackfillHandler(
            fixture.database,
            fixture.offers.offers(),
            (topic, alerts) -> sent.addAll(alerts),
            fixture.settings.debounce(),
            fixture.clock);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private void project() throws Exception {
    List<Event> events = fixture.outbox(FavoriteTopics.FAVORITES);
    fixture.clear("outbox");
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

  /// The run of the first change may have missed this saver, so another run is due.
  @Test
  void handle_priceChangedSinceSavingAndNotDebounced_becomesDue() throws Exception {
    Offer offer = fixture.publish(seller);
    Offer steady = fixture.publish(seller);
    fixture.save(recipient, offer);
    fixture.save(recipient, steady);
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
  void handle_priceChangedSinceSavingAndDebounced_isSent() throws Exception {
    Offer offer = fixture.publish(seller);
    fixture.save(recipient, offer);
    fixture.reprice(offer, 90_000);
    fixture.clock.advance(Duration.ofSeconds(61));
    project();
    assertThat(sent).extracting(Alert::recipient).containsExactly(recipient);
    assertThat(due(offer)).isEmpty();
  }
}
