package dev.torg.alerts;

import static dev.torg.alerts.AlertsFixture.alert;
import static dev.torg.alerts.AlertsFixture.events;
import static dev.torg.alerts.AlertsFixture.person;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.alerts.alert.Reason;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.FavoriteServiceGrpc.FavoriteServiceImplBase;
import dev.torg.api.v1.MoveFromAnonymousRequest;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.Offer;
import dev.torg.platform.Home;
import dev.torg.platform.identity.IssuedToken;
import dev.torg.platform.lease.Jobs;
import dev.torg.platform.lease.Leases;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What a person has heard, and has yet to hear, goes along at login: none of it lost, none twice.
class MoveAtLoginIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  private final String login = person();
  private final String seller = person();
  private AlertsFixture fixture;
  private Leases leases;
  private IssuedToken token;
  private String anonymous;

  @BeforeEach
  void open() {
    fixture = new AlertsFixture(TABLES);
    leases = new Leases(fixture.database);
    token = fixture.tokens.issueAnonymous();
    anonymous = token.subject();
  }

  @AfterEach
  void close() {
    leases.close();
    fixture.close();
  }

  private void follow(String reader, Delivery delivery) {
    fixture.follow(reader, seller);
    fixture.deliverSeller(reader, seller, delivery);
  }

  private Offer tell(String reader) throws Exception {
    Offer offer = fixture.publish(seller);
    fixture.writer().handle(events(alert(reader, offer, Reason.seller(seller))));
    return offer;
  }

  private void move() {
    fixture.as(
        login,
        fixture.favoriteService(),
        MoveFromAnonymousRequest.newBuilder().setAnonymousToken(token.token()).build(),
        FavoriteServiceImplBase::moveFromAnonymous);
  }

  private void sendDigests() {
    new Jobs(leases, fixture.clock)
        .every(Duration.ofMillis(100), "test.digests", fixture.digests()::run);
  }

  private boolean isDone(String reader) {
    return fixture.database.read(
            tx ->
                tx.sql("SELECT count(*) FROM digest_due WHERE home = ? AND owner = ?")
                    .set(Home.of(reader))
                    .set(reader)
                    .first(row -> row.longAt(1))
                    .orElse(0L))
        == 0;
  }

  private void awaitDigests(String... readers) {
    for (String reader : readers) {
      await().atMost(Duration.ofSeconds(20)).until(() -> isDone(reader));
    }
  }

  private List<String> titles() {
    return fixture.bell(login).stream().map(Notification::getTitle).toList();
  }

  @Test
  void move_bothHadTheirDigestThatDay_keepsBoth() throws Exception {
    follow(anonymous, Delivery.DAILY);
    follow(login, Delivery.DAILY);
    tell(anonymous);
    tell(login);
    tell(login);
    fixture.clock.advance(Duration.ofDays(1));
    sendDigests();
    awaitDigests(anonymous, login);
    move();
    assertThat(titles())
        .containsExactlyInAnyOrder("Your digest: 1 new offer", "Your digest: 2 new offers");
  }

  @Test
  void move_digestCameBeforeTheLoginsOwn_bothAreHeard() throws Exception {
    follow(anonymous, Delivery.DAILY);
    follow(login, Delivery.DAILY);
    tell(anonymous);
    fixture.clock.advance(Duration.ofDays(1));
    sendDigests();
    awaitDigests(anonymous);
    leases.close();
    leases = new Leases(fixture.database);
    // A writer whose clock is a little behind gathers for the hour that has just struck.
    fixture.clock.advance(Duration.ofDays(-1));
    tell(login);
    fixture.clock.advance(Duration.ofDays(1));
    move();
    sendDigests();
    awaitDigests(login);
    assertThat(titles()).containsExactly("Your digest: 1 new offer", "Your digest: 1 new offer");
  }

  @Test
  void move_bothHadAStormThatHour_keepsBoth() throws Exception {
    follow(anonymous, Delivery.INSTANT);
    follow(login, Delivery.INSTANT);
    List<Offer> offers = new ArrayList<>();
    for (int i = 0; i < 23; i++) {
      offers.add(tell(anonymous));
    }
    for (int i = 0; i < 22; i++) {
      offers.add(tell(login));
    }
    move();
    assertThat(titles()).contains("3 new offers", "2 new offers").hasSize(42);
    assertThat(fixture.toldRows(login)).isEqualTo(offers.size());
  }
}
