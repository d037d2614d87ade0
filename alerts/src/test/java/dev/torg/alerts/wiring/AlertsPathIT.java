package dev.torg.alerts.wiring;

import static dev.torg.alerts.AlertsFixture.car;
import static dev.torg.alerts.AlertsFixture.cars;
import static dev.torg.alerts.AlertsFixture.newUser;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.Value;
import dev.torg.alerts.AlertsFixture;
import dev.torg.alerts.event.AlertSettings;
import dev.torg.api.v1.FavoriteServiceGrpc.FavoriteServiceImplBase;
import dev.torg.api.v1.MoveFromAnonymousRequest;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Opinion.Verdict;
import dev.torg.api.v1.SearchQuery;
import dev.torg.testkit.TestClock;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// From calls of sellers and buyers, through outbox, relay, topics and consumers, to the bell.
class AlertsPathIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  private static final int LARGE = 10;

  /// One for all tests: they share the offers in the database.
  private static final TestClock CLOCK = new TestClock();

  private final String recipient = newUser();
  private final String seller = newUser();
  private AlertsFixture fixture;
  private RunningAlerts running;

  @BeforeEach
  void open() {
    AlertSettings settings =
        AlertSettings.defaults(AlertsFixture.temporary()).withLargeAudience(LARGE);
    fixture = new AlertsFixture(TABLES, CLOCK, settings);
    running = new RunningAlerts(fixture);
  }

  @AfterEach
  void close() {
    running.close();
    var remaining = running.parkedEvents.list(1);
    fixture.close();
    assertThat(remaining).isEmpty();
  }

  private static void eventually(Callable<Boolean> condition) {
    await().atMost(Duration.ofSeconds(40)).pollInterval(Duration.ofMillis(50)).until(condition);
  }

  /// Publishes an offer of which all users here are notified: everything sent before it has been handled.
  private void awaitDelivery(String follower, String followed) {
    Offer last = fixture.publish(followed);
    eventually(() -> fixture.notifiedOf(follower).contains(last.getId()));
  }

  @Test
  void publish_searchAndFollow_recipientIsNotifiedOnceWithBothReasons() {
    fixture.search(recipient, cars("red car"), "red");
    fixture.follow(recipient, seller);
    running.relay();
    running.startAlerts();
    Offer existing = fixture.publish(newUser(), car("Red car", 1000));
    eventually(() -> fixture.notifiedOf(recipient).contains(existing.getId()));
    awaitDelivery(recipient, seller);
    Offer offer = fixture.publish(seller, car("Red car", 1000));
    Offer blue = fixture.publish(newUser(), car("Blue car", 1000));
    eventually(() -> fixture.notifiedOf(recipient).contains(offer.getId()));
    awaitDelivery(recipient, seller);
    List<Notification> received = fixture.bell(recipient);
    assertThat(received).extracting(Notification::getOfferId).doesNotContain(blue.getId());
    List<Notification> aboutRed =
        received.stream().filter(n -> n.getOfferId().equals(offer.getId())).toList();
    assertThat(aboutRed).hasSize(1);
    assertThat(aboutRed.getFirst().getWhy().getAlsoCount()).isEqualTo(1);
  }

  @Test
  void edit_nowMatching_isDeliveredOnce() {
    fixture.search(recipient, cars("cabrio"), "");
    fixture.follow(recipient, seller);
    running.relay();
    running.startAlerts();
    String other = newUser();
    Offer offer = fixture.publish(other, car("A car", 1000));
    awaitDelivery(recipient, seller);
    assertThat(fixture.notifiedOf(recipient)).doesNotContain(offer.getId());
    fixture.edit(offer, car("A cabrio", 1000));
    eventually(() -> fixture.notifiedOf(recipient).contains(offer.getId()));
    fixture.edit(offer, car("A nice cabrio", 1000));
    awaitDelivery(recipient, seller);
    assertThat(fixture.notifiedOf(recipient)).containsOnlyOnce(offer.getId());
  }

  /// The edit hides the offer; its second approval makes it active again, not new.
  @Test
  void approve_premoderatedOfferAgainAfterAnEdit_notifiesOnlyNewlyMatchedUsers() {
    fixture.follow(recipient, seller);
    String another = newUser();
    fixture.search(
        another, SearchQuery.newBuilder().setCategory("pets").setText("tiger").build(), "");
    running.relay();
    running.startAlerts();
    Offer offer = fixture.publish(seller, pet("A cat"));
    fixture.giveOpinion(offer, Verdict.OK);
    eventually(() -> fixture.notifiedOf(recipient).contains(offer.getId()));
    assertThat(fixture.edit(offer, pet("A tiger")).getStatus()).isEqualTo(Offer.Status.PENDING);
    awaitDelivery(recipient, seller);
    assertThat(fixture.notifiedOf(another)).isEmpty();
    assertThat(fixture.giveOpinion(offer, Verdict.OK).getStatus()).isEqualTo(Offer.Status.ACTIVE);
    eventually(() -> fixture.notifiedOf(another).contains(offer.getId()));
    awaitDelivery(recipient, seller);
    assertThat(fixture.notifiedOf(recipient)).containsOnlyOnce(offer.getId());
  }

  private static Offer pet(String title) {
    return car(title, 1000).toBuilder()
        .setCategory("pets")
        .clearAttributes()
        .putAttributes("species", Value.newBuilder().setStringValue("cat").build())
        .build();
  }

  @Test
  void publish_rulesSavedJustBeforeAndEventsDelayed_missesNothing() {
    String first = newUser();
    String second = newUser();
    running.startAlerts();
    fixture.search(first, cars("wagon"), "");
    fixture.follow(second, seller);
    Offer offer = fixture.publish(seller, car("Wagon", 1000));
    String delayed = newUser();
    fixture.search(delayed, cars("wagon"), "");
    String third = newUser();
    fixture.search(third, cars("wagon"), "");
    Offer next = fixture.publish(seller, car("Another wagon", 1000));
    fixture.clock.advance(Duration.ofMinutes(1));
    running.relay();
    eventually(() -> fixture.notifiedOf(first).size() == 2);
    eventually(() -> fixture.notifiedOf(second).size() == 2);
    eventually(() -> fixture.notifiedOf(delayed).size() == 1);
    eventually(() -> fixture.notifiedOf(third).size() == 1);
    awaitDelivery(second, seller);
    assertThat(fixture.notifiedOf(first)).containsExactlyInAnyOrder(offer.getId(), next.getId());
    assertThat(fixture.notifiedOf(delayed)).containsExactly(next.getId());
    assertThat(fixture.notifiedOf(third)).containsExactly(next.getId());
  }

  @Test
  void publish_offersBeforeAnyProjection_backfillNotifies() {
    // Offers are matched before the followers' events are projected.
    running.stopProjecting();
    fixture.follow(recipient, seller);
    fixture.search(recipient, cars("coupe"), "");
    String other = newUser();
    Offer followed = fixture.publish(seller, car("Something", 1000));
    Offer matched = fixture.publish(other, car("Coupe", 1000));
    running.relay();
    running.startAlerts();
    eventually(() -> fixture.registry.find("torg.alerts.offers.matched").counter().count() >= 2);
    assertThat(fixture.bell(recipient)).isEmpty();
    running.projectAgain();
    eventually(() -> fixture.notifiedOf(recipient).size() == 2);
    assertThat(fixture.notifiedOf(recipient))
        .containsExactlyInAnyOrder(followed.getId(), matched.getId());
  }

  @Test
  void price_stableAndChanged_isDelivered_returnedIsNot() {
    Offer offer = fixture.publish(seller);
    Offer steady = fixture.publish(seller);
    fixture.save(recipient, offer);
    fixture.save(recipient, steady);
    running.relay();
    running.startAlerts();
    running.work();
    fixture.reprice(offer, 90_000);
    fixture.reprice(steady, 90_000);
    fixture.reprice(steady, 100_000);
    eventually(() -> rows("price_due") == 2);
    fixture.clock.advance(Duration.ofSeconds(61));
    eventually(() -> rows("price_due") == 0);
    eventually(() -> !fixture.bell(recipient).isEmpty());
    fixture.reprice(offer, 80_000);
    eventually(() -> rows("price_due") == 1);
    fixture.clock.advance(Duration.ofSeconds(61));
    eventually(() -> fixture.bell(recipient).size() == 2);
    assertThat(fixture.notifiedOf(recipient)).containsExactly(offer.getId(), offer.getId());
    assertThat(fixture.bell(recipient).getFirst().getWhy().getOldPrice().getAmount())
        .isEqualTo(90_000);
  }

  @Test
  void price_offerReactivated_isDelivered() {
    Offer briefly = fixture.publish(seller);
    Offer longer = fixture.publish(seller);
    Offer steady = fixture.publish(seller);
    for (Offer offer : List.of(briefly, longer, steady)) {
      fixture.save(recipient, offer);
    }
    running.relay();
    running.startAlerts();
    running.work();
    eventually(() -> rows("offer_saver WHERE owner = '" + recipient + "'") == 3);
    fixture.reprice(briefly, 90_000);
    fixture.reprice(longer, 80_000);
    fixture.withdraw(longer);
    fixture.withdraw(steady);
    eventually(() -> rows("price_due") == 2);
    fixture.withdraw(briefly);
    fixture.reactivate(briefly);
    fixture.clock.advance(Duration.ofSeconds(61));
    eventually(() -> rows("price_due") == 0);
    eventually(() -> fixture.notifiedOf(recipient).contains(briefly.getId()));
    fixture.reactivate(longer);
    fixture.reactivate(steady);
    eventually(() -> rows("price_due") == 2);
    fixture.clock.advance(Duration.ofSeconds(61));
    eventually(() -> rows("price_due") == 0);
    eventually(() -> fixture.notifiedOf(recipient).contains(longer.getId()));
    assertThat(fixture.notifiedOf(recipient)).containsExactly(longer.getId(), briefly.getId());
  }

  private long rows(String table) {
    return fixture.database.read(
        tx -> tx.sql("SELECT count(*) FROM " + table).first(row -> row.longAt(1)).orElse(0L));
  }

  @Test
  void ban_unreadNotifications_areWithdrawnAndUnbanNotifiesTheOthers() {
    String later = newUser();
    fixture.follow(recipient, seller);
    fixture.follow(later, seller);
    fixture.deliverSeller(later, seller, dev.torg.api.v1.DeliverySettings.Delivery.OFF);
    running.relay();
    running.startAlerts();
    running.work();
    Offer offer = fixture.publish(seller);
    eventually(() -> fixture.notifiedOf(recipient).contains(offer.getId()));
    fixture.giveOpinion(offer, Verdict.BAN);
    eventually(() -> fixture.bell(recipient).isEmpty());
    fixture.deliverSeller(later, seller, dev.torg.api.v1.DeliverySettings.Delivery.INSTANT);
    fixture.giveOpinion(offer, Verdict.UNBAN);
    eventually(() -> fixture.notifiedOf(later).contains(offer.getId()));
    assertThat(fixture.bell(recipient)).isEmpty();
  }

  @Test
  void publish_largeAudience_isFannedOutAndResumedAfterAStop() {
    List<String> followers = new ArrayList<>();
    for (int i = 0; i < 2_300; i++) {
      followers.add(newUser());
    }
    followers.parallelStream().forEach(user -> fixture.follow(user, seller));
    fixture.search(recipient, cars("van"), "");
    String small = newUser();
    fixture.follow(small, seller);
    running.relay();
    eventually(() -> fixture.favorites.audiences().followerCount(seller) == 2_301);
    running.startAlerts();
    Offer offer = fixture.publish(seller, car("Van", 1000));
    eventually(() -> fixture.notifiedOf(recipient).contains(offer.getId()));
    running.work();
    eventually(() -> pages() >= 1);
    running.stopWorking();
    running.work();
    Offer meanwhile = fixture.publish(newUser(), car("Another van", 1000));
    eventually(() -> fixture.notifiedOf(recipient).contains(meanwhile.getId()));
    eventually(() -> notifications(offer) == 2_302);
    assertThat(followers.subList(0, 20))
        .allSatisfy(user -> assertThat(fixture.notifiedOf(user)).containsExactly(offer.getId()));
    // A page is counted after it is sent: the last alerts may be delivered before.
    eventually(() -> fixture.registry.find("torg.alerts.fanout.people").counter().count() >= 2_301);
  }

  private long pages() {
    return fixture.database.read(
        tx ->
            tx.sql("SELECT coalesce(sum(pages), 0) FROM fanout")
                .first(row -> row.longAt(1))
                .orElse(0L));
  }

  private long notifications(Offer offer) {
    return fixture.database.read(
        tx ->
            tx.sql("SELECT count(*) FROM notification WHERE offer_id = ?")
                .set(Long.parseLong(offer.getId()))
                .first(row -> row.longAt(1))
                .orElse(0L));
  }

  @Test
  void processes_startAndStop_everyOfferIsDeliveredOnce() {
    fixture.search(recipient, cars("car"), "");
    String other = newUser();
    fixture.follow(other, seller);
    running.relay();
    running.startAlerts();
    Set<String> published = new HashSet<>();
    for (int i = 0; i < 15; i++) {
      published.add(fixture.publish(seller, car("Car " + i, 1000)).getId());
    }
    AlertsFixture second =
        new AlertsFixture(TABLES, fixture.clock, AlertSettings.defaults(AlertsFixture.temporary()));
    AlertsWiring rival = second.alerts(running.kafka);
    try {
      running.start(rival);
      for (int i = 0; i < 2; i++) {
        published.add(fixture.publish(seller, car("Car b" + i, 1000)).getId());
      }
      running.stop();
      running.project(rival);
      // A search that only the other process receives, and an offer right after it.
      String newcomer = newUser();
      fixture.search(newcomer, cars("kombi"), "");
      published.add(fixture.publish(seller, car("Kombi car", 1000)).getId());
      eventually(() -> fixture.notifiedOf(newcomer).size() == 1);
      eventually(() -> fixture.notifiedOf(recipient).size() == published.size());
      eventually(() -> fixture.notifiedOf(other).size() == published.size());
      assertThat(fixture.notifiedOf(recipient)).containsExactlyInAnyOrderElementsOf(published);
      assertThat(fixture.notifiedOf(other)).containsExactlyInAnyOrderElementsOf(published);
    } finally {
      running.stopProjecting();
      rival.close();
      second.close();
    }
  }

  @Test
  void restart_fromSnapshot_knowsAllSearches() {
    fixture.search(recipient, cars("oldtimer"), "");
    running.relay();
    running.startAlerts();
    eventually(() -> fixture.registry.find("torg.alerts.engine.searches").gauge().value() >= 1);
    running.stop();
    String stopped = newUser();
    String removed = fixture.search(stopped, cars("tractor"), "");
    fixture.removeSearch(stopped, removed);
    String meanwhile = newUser();
    fixture.search(meanwhile, cars("oldtimer cabrio"), "");
    running.startAgain();
    Offer offer = fixture.publish(seller, car("Oldtimer cabrio", 1000));
    eventually(() -> fixture.notifiedOf(recipient).contains(offer.getId()));
    eventually(() -> fixture.notifiedOf(meanwhile).contains(offer.getId()));
    assertThat(fixture.settings.snapshot()).exists();
  }

  @Test
  void loginMerge_whileOffersArrive_notifiesTheLoginOfEachOnce() {
    var token = fixture.tokens.issueAnonymous();
    String login = newUser();
    fixture.follow(token.subject(), seller);
    running.relay();
    running.startAlerts();
    Set<String> published = new HashSet<>();
    for (int i = 0; i < 10; i++) {
      published.add(fixture.publish(seller).getId());
      if (i == 4) {
        fixture.as(
            login,
            fixture.favoriteService(),
            MoveFromAnonymousRequest.newBuilder().setAnonymousToken(token.token()).build(),
            FavoriteServiceImplBase::moveFromAnonymous);
      }
    }
    eventually(() -> fixture.notifiedOf(login).size() >= published.size());
    awaitDelivery(login, seller);
    List<String> received = new ArrayList<>(fixture.notifiedOf(login));
    received.retainAll(published);
    assertThat(received).containsExactlyInAnyOrderElementsOf(published);
    assertThat(fixture.bell(token.subject())).isEmpty();
  }
}
