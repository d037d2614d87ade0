package dev.torg.alerts.match;

import static dev.torg.alerts.AlertsFixture.car;
import static dev.torg.alerts.AlertsFixture.cars;
import static dev.torg.alerts.AlertsFixture.newUser;
import static dev.torg.alerts.wiring.RunningAlerts.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.AlertsFixture;
import dev.torg.alerts.event.AlertSettings;
import dev.torg.alerts.wiring.RunningAlerts;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.SearchQuery;
import dev.torg.matching.SearchId;
import dev.torg.platform.Home;
import dev.torg.queries.QueryCanonicalizer;
import dev.torg.testkit.TestClock;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// A process that was down for hours. Kafka's times are real, so the clock starts with the current time.
class RewindAfterOutageIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  private final String recipient = newUser();
  private final String seller = newUser();
  private final TestClock clock = new TestClock();
  private AlertsFixture fixture;
  private RunningAlerts running;

  @BeforeEach
  void open() {
    clock.advance(Duration.between(clock.instant(), Instant.now()));
    fixture = new AlertsFixture(TABLES, clock, AlertSettings.defaults(AlertsFixture.temporary()));
    running = RunningAlerts.started(fixture);
  }

  @AfterEach
  void close() {
    running.close();
    fixture.close();
  }

  @Test
  void restart_searchWasMissingBeforeTheOfferWasHandled_isMatched() throws Exception {
    String follower = newUser();
    fixture.follow(follower, seller);
    running.awaitDelivery(follower, seller);
    // Announced while the relay holds it back: the engine does not receive it.
    running.awaitRelayed();
    SearchQuery query = cars("roadster");
    SearchId search = QueryCanonicalizer.canonical(query).searchId();
    block(search);
    fixture.search(recipient, query, "");
    eventually(() -> isAnnounced(search));
    eventually(this::isBackfilled);
    Offer offer = fixture.publish(seller, car("A rare roadster", 1000));
    eventually(() -> fixture.notifiedOf(follower).contains(offer.getId()));
    running.stop();
    assertThat(fixture.bell(recipient)).isEmpty();
    clock.advance(Duration.ofHours(3));
    assertThat(isAnnounced(search)).isTrue();
    unblock(search);
    running.awaitRelayed();
    running.startAgain();
    eventually(() -> fixture.notifiedOf(recipient).contains(offer.getId()));
    running.awaitDelivery(follower, seller);
    assertThat(fixture.notifiedOf(recipient)).containsExactly(offer.getId());
  }

  /// The relay leaves the announcement of the search in the outbox.
  private void block(SearchId search) {
    Home home = Home.of(search.hex());
    fixture.database.transact(
        tx ->
            tx.sql(
                    """
                    INSERT INTO outbox_blocked
                      (home, homes_group, topic, key, reason, attempts, blocked_at, retry_at)
                    VALUES (?, ?, 'torg.searches', ?, 'held back', 1, ?, 'infinity')
                    """)
                .set(home)
                .set(home.group())
                .set(search.hex())
                .set(clock.instant())
                .update());
  }

  private void unblock(SearchId search) {
    fixture.database.transact(
        tx ->
            tx.sql("DELETE FROM outbox_blocked WHERE home = ? AND key = ?")
                .set(Home.of(search.hex()))
                .set(search.hex())
                .update());
  }

  /// Whether its announcement, which commits with its projection, is in the outbox.
  private boolean isAnnounced(SearchId search) {
    return fixture.database.read(
        tx ->
            tx.sql("SELECT 1 FROM outbox WHERE home = ? AND topic = 'torg.searches' AND key = ?")
                .set(Home.of(search.hex()))
                .set(search.hex())
                .first(_ -> true)
                .isPresent());
  }

  /// The backfill of offers published since the search was saved must not find the next one.
  private boolean isBackfilled() {
    return fixture.database.read(
        tx -> tx.sql("SELECT 1 FROM subscription_backfill").list(row -> row.intAt(1)).isEmpty());
  }
}
