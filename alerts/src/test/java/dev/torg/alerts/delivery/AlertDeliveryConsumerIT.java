package dev.torg.alerts.delivery;

import static dev.torg.alerts.AlertsFixture.alert;
import static dev.torg.alerts.AlertsFixture.cars;
import static dev.torg.alerts.AlertsFixture.events;
import static dev.torg.alerts.AlertsFixture.newUser;
import static dev.torg.alerts.AlertsFixture.price;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.alerts.AlertsFixture;
import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.event.AlertSettings;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.FavoriteServiceGrpc.FavoriteServiceImplBase;
import dev.torg.api.v1.MoveFromAnonymousRequest;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Opinion.Verdict;
import dev.torg.api.v1.Why;
import dev.torg.notifications.NotificationTopics;
import dev.torg.platform.Home;
import dev.torg.testkit.TestClock;
import dev.torg.testkit.TestDatabase;
import dev.torg.testkit.TestPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The delivery of alerts in the recipients' homes.
class AlertDeliveryConsumerIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  private static AlertsFixture fixture;

  private final String recipient = newUser();
  private final String seller = newUser();

  @BeforeAll
  static void open() {
    fixture = new AlertsFixture(TABLES);
  }

  @AfterAll
  static void close() {
    fixture.close();
  }

  private static void write(Alert... alerts) {
    try {
      fixture.writer().handle(events(alerts));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void handle_bothRulesInOneAlert_notifiesOnceWithBothReasons() {
    fixture.follow(recipient, seller);
    String search = fixture.search(recipient, cars("car"), "my cars");
    Offer offer = fixture.publish(seller);
    write(alert(recipient, offer, AlertReason.seller(seller), AlertReason.search(search)));
    List<Notification> received = fixture.bell(recipient);
    assertThat(received).hasSize(1);
    Why why = received.getFirst().getWhy();
    assertThat(why.getKind()).isEqualTo("SEARCH");
    assertThat(why.getName()).isEqualTo("my cars");
    assertThat(why.getAlsoList()).extracting(Why::getKind).containsExactly("SELLER");
    assertThat(received.getFirst().getOfferId()).isEqualTo(offer.getId());
  }

  @Test
  void handle_twoRulesInTwoAlertsAndEachTwice_notifiesOnce() {
    fixture.follow(recipient, seller);
    String search = fixture.search(recipient, cars("car"), "");
    Offer offer = fixture.publish(seller);
    Alert bySeller = alert(recipient, offer, AlertReason.seller(seller));
    Alert bySearch = alert(recipient, offer, AlertReason.search(search));
    write(bySeller);
    write(bySearch, bySeller);
    write(bySearch);
    assertThat(fixture.notifiedOf(recipient)).containsExactly(offer.getId());
  }

  @Test
  void handle_manyWritersRace_everyRecipientIsNotifiedOnce() {
    List<String> recipients = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      String recipient = newUser();
      fixture.follow(recipient, seller);
      recipients.add(recipient);
    }
    List<Offer> offers = List.of(fixture.publish(seller), fixture.publish(seller));
    List<Alert> all = new ArrayList<>();
    for (String recipient : recipients) {
      offers.forEach(offer -> all.add(alert(recipient, offer, AlertReason.seller(seller))));
    }
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<CompletableFuture<Void>> writers = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        List<Alert> alerts = new ArrayList<>(all);
        Collections.shuffle(alerts);
        writers.add(
            CompletableFuture.runAsync(() -> alerts.forEach(alert -> write(alert)), threads));
      }
      writers.forEach(CompletableFuture::join);
    }
    for (String recipient : recipients) {
      assertThat(fixture.notifiedOf(recipient))
          .containsExactlyInAnyOrder(offers.get(0).getId(), offers.get(1).getId());
      assertThat(spentToday(recipient)).isEqualTo(2);
    }
  }

  @Test
  void handle_unsubscribedMeanwhile_writesNothing() {
    fixture.follow(recipient, seller);
    String search = fixture.search(recipient, cars("car"), "");
    Offer offer = fixture.publish(seller);
    fixture.unfollow(recipient, seller);
    fixture.removeSearch(recipient, search);
    write(alert(recipient, offer, AlertReason.seller(seller), AlertReason.search(search)));
    assertThat(fixture.bell(recipient)).isEmpty();
    assertThat(fixture.dedupRows(recipient)).isZero();
  }

  @Test
  void handle_mutedTopics_areStillInTheBell() {
    fixture.mute(
        recipient,
        NotificationTopics.SEARCHES,
        NotificationTopics.SELLERS,
        NotificationTopics.PRICES);
    fixture.follow(recipient, seller);
    String search = fixture.search(recipient, cars("car"), "");
    Offer followed = fixture.publish(seller);
    Offer matched = fixture.publish(newUser());
    write(
        alert(recipient, followed, AlertReason.seller(seller)),
        alert(recipient, matched, AlertReason.search(search)));
    assertThat(fixture.notifiedOf(recipient))
        .containsExactlyInAnyOrder(followed.getId(), matched.getId());
  }

  @Test
  void handle_turnedOff_sendsNoNotification() {
    fixture.follow(recipient, seller);
    fixture.deliverSeller(recipient, seller, Delivery.OFF);
    Offer offer = fixture.publish(seller);
    write(alert(recipient, offer, AlertReason.seller(seller)));
    assertThat(fixture.bell(recipient)).isEmpty();
    assertThat(fixture.dedupRows(recipient)).isZero();
  }

  @Test
  void handle_blockedSeller_sendsNoNotification() {
    fixture.follow(recipient, seller);
    Offer offer = fixture.publish(seller);
    fixture.block(recipient, seller);
    write(alert(recipient, offer, AlertReason.seller(seller)));
    assertThat(fixture.bell(recipient)).isEmpty();
  }

  @Test
  void handle_ruleCreatedAfterOffer_sendsNoNotification() {
    Offer offer = fixture.publish(seller);
    fixture.follow(recipient, seller);
    write(alert(recipient, offer, AlertReason.seller(seller)));
    assertThat(fixture.bell(recipient)).isEmpty();
  }

  @Test
  void handle_sellersOwnOffer_sendsNoNotification() {
    fixture.search(seller, cars("car"), "");
    String search = fixture.search(seller, cars("car"), "");
    Offer offer = fixture.publish(seller);
    write(alert(seller, offer, AlertReason.search(search)));
    assertThat(fixture.bell(seller)).isEmpty();
  }

  @Test
  void handle_withdrawnMeanwhile_sendsNoNotification() {
    fixture.follow(recipient, seller);
    Offer offer = fixture.publish(seller);
    fixture.withdraw(offer);
    write(alert(recipient, offer, AlertReason.seller(seller)));
    assertThat(fixture.bell(recipient)).isEmpty();
    assertThat(fixture.dedupRows(recipient)).isZero();
  }

  @Test
  void handle_oldOffer_sendsNoNotification() {
    TestClock later = new TestClock();
    fixture.follow(recipient, seller);
    Offer offer = fixture.publish(seller);
    later.advance(Duration.ofDays(121));
    try (AlertsFixture then =
        new AlertsFixture(TABLES, later, AlertSettings.defaults(AlertsFixture.temporary()))) {
      then.writer().handle(events(alert(recipient, offer, AlertReason.seller(seller))));
      assertThat(fixture.bell(recipient)).isEmpty();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void handle_bannedBetweenReadingAndWriting_withdrawsIt() {
    fixture.follow(recipient, seller);
    Offer offer = fixture.publish(seller);
    CompletableFuture<Void> writing =
        fixture.database.inTransaction(
            tx -> {
              // The writer has read the offer as active and waits for the recipient's row.
              tx.sql("SELECT 1 FROM favorite_owner WHERE home = ? AND owner = ? FOR UPDATE")
                  .set(Home.of(recipient))
                  .set(recipient)
                  .first(row -> true);
              CompletableFuture<Void> started =
                  CompletableFuture.runAsync(
                      () -> write(alert(recipient, offer, AlertReason.seller(seller))));
              await().atMost(Duration.ofSeconds(10)).until(AlertsForWriter::isWaiting);
              fixture.giveOpinion(offer, Verdict.BAN);
              return started;
            });
    writing.join();
    assertThat(fixture.dedupRows(recipient)).isEqualTo(1);
    assertThat(fixture.bell(recipient)).isEmpty();
  }

  /// Finds whether a transaction waits for a lock on recipients' rows; on Citus it waits on a worker.
  private static final class AlertsForWriter {
    private static final String WAITING =
        """
        SELECT count(*) FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'
           AND query LIKE '%favorite_owner%'
        """;

    private static final String WAITING_ON_WORKERS =
        "SELECT count(*) FROM citus_lock_waits WHERE blocked_statement LIKE '%favorite_owner%'";

    static boolean isWaiting() {
      String sql = TestPostgres.shared().hasCitus() ? WAITING_ON_WORKERS : WAITING;
      return fixture.database.read(tx -> tx.sql(sql).first(row -> row.longAt(1)).orElse(0L)) > 0;
    }
  }

  @Test
  void handle_alertOfBannedOfferAgain_withdrawsWhatRemained() {
    fixture.follow(recipient, seller);
    Offer offer = fixture.publish(seller);
    write(alert(recipient, offer, AlertReason.seller(seller)));
    fixture.giveOpinion(offer, Verdict.BAN);
    write(alert(recipient, offer, AlertReason.seller(seller)));
    assertThat(fixture.bell(recipient)).isEmpty();
    fixture.giveOpinion(offer, Verdict.UNBAN);
    write(alert(recipient, offer, AlertReason.seller(seller)));
    assertThat(fixture.bell(recipient)).isEmpty();
  }

  @Test
  void handle_instantAndDaily_instantWins() {
    fixture.follow(recipient, seller);
    fixture.deliverSeller(recipient, seller, Delivery.INSTANT);
    String search = fixture.search(recipient, cars("car"), "");
    fixture.deliverSearch(recipient, search, Delivery.DAILY);
    Offer offer = fixture.publish(seller);
    // The alert names the daily rule only: the other one is read nevertheless.
    write(alert(recipient, offer, AlertReason.search(search)));
    assertThat(fixture.bell(recipient))
        .extracting(n -> n.getWhy().getKind())
        .containsExactly("SELLER");
  }

  @Test
  void handle_moreThanTwentyAnHour_collapseIntoOneEntry() {
    fixture.follow(recipient, seller);
    List<Alert> alerts = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      Alert alert = alert(recipient, fixture.publish(seller), AlertReason.seller(seller));
      alerts.add(alert);
      write(alert);
    }
    // No key of the bell keeps a collapsed entry from growing twice: only `told` does.
    write(alerts.toArray(Alert[]::new));
    List<Notification> received = fixture.bell(recipient);
    assertThat(received).hasSize(21);
    assertThat(received).extracting(Notification::getTitle).contains("5 new offers");
    assertThat(fixture.dedupRows(recipient)).isEqualTo(25);
  }

  @Test
  void handle_moreThanTwoHundredADay_remainderGoesToDigest() {
    for (int i = 0; i < 11; i++) {
      String other = newUser();
      fixture.follow(recipient, other);
      Alert[] alerts = new Alert[19];
      for (int j = 0; j < alerts.length; j++) {
        alerts[j] = alert(recipient, fixture.publish(other), AlertReason.seller(other));
      }
      write(alerts);
    }
    assertThat(fixture.bell(recipient)).hasSize(200);
    assertThat(fixture.dedupRows(recipient)).isEqualTo(209);
    assertThat(count("digest")).isEqualTo(9);
  }

  private static long spentToday(String recipient) {
    return fixture.database.read(
        tx ->
            tx.sql("SELECT today FROM alert_budget WHERE home = ? AND owner = ?")
                .set(Home.of(recipient))
                .set(recipient)
                .first(row -> row.longAt(1))
                .orElse(0L));
  }

  private long count(String table) {
    return fixture.database.read(
        tx ->
            tx.sql("SELECT count(*) FROM " + table + " WHERE home = ? AND owner = ?")
                .set(Home.of(recipient))
                .set(recipient)
                .first(row -> row.longAt(1))
                .orElse(0L));
  }

  @Test
  void handle_price_isNotifiedOncePerChangeInBothDirections() {
    Offer offer = fixture.publish(seller);
    fixture.save(recipient, offer);
    Offer cheaper = fixture.reprice(offer, 90_000);
    write(price(recipient, cheaper, offer.getPrice()));
    write(price(recipient, cheaper, offer.getPrice()));
    Offer dearer = fixture.reprice(offer, 120_000);
    write(price(recipient, dearer, cheaper.getPrice(), offer.getPrice()));
    List<Notification> received = fixture.bell(recipient);
    assertThat(received).hasSize(2);
    Why rise = received.getFirst().getWhy();
    assertThat(rise.getKind()).isEqualTo("PRICE");
    assertThat(rise.getOldPrice().getAmount()).isEqualTo(90_000);
    assertThat(rise.getNewPrice().getAmount()).isEqualTo(120_000);
    assertThat(received.getLast().getText())
        .isEqualTo("The price fell from 1000.00 EUR to 900.00 EUR");
  }

  @Test
  void handle_priceBackAtTheKnownOne_sendsNoNotification() {
    Offer offer = fixture.publish(seller);
    fixture.save(recipient, offer);
    fixture.reprice(offer, 90_000);
    Offer back = fixture.reprice(offer, 100_000);
    write(price(recipient, back));
    assertThat(fixture.bell(recipient)).isEmpty();
  }

  @Test
  void handle_priceThatHasChangedAgain_sendsNoNotification() {
    Offer offer = fixture.publish(seller);
    fixture.save(recipient, offer);
    Offer once = fixture.reprice(offer, 90_000);
    fixture.reprice(offer, 80_000);
    write(price(recipient, once, offer.getPrice()));
    assertThat(fixture.bell(recipient)).isEmpty();
  }

  @Test
  void handle_priceOfOfferNoLongerSavedOrBlocked_sendsNoNotification() {
    Offer offer = fixture.publish(seller);
    fixture.save(recipient, offer);
    Offer cheaper = fixture.reprice(offer, 90_000);
    fixture.block(recipient, seller);
    write(price(recipient, cheaper));
    write(price(newUser(), cheaper));
    assertThat(fixture.bell(recipient)).isEmpty();
  }

  @Test
  void handle_recipientMergedMeanwhile_notifiesTheLoginOnce() {
    var token = fixture.tokens.issueAnonymous();
    String anonymous = token.subject();
    String login = newUser();
    fixture.follow(anonymous, seller);
    Offer before = fixture.publish(seller);
    Offer inFlight = fixture.publish(seller);
    write(alert(anonymous, before, AlertReason.seller(seller)));
    fixture.as(
        login,
        fixture.favoriteService(),
        MoveFromAnonymousRequest.newBuilder().setAnonymousToken(token.token()).build(),
        FavoriteServiceImplBase::moveFromAnonymous);
    write(
        alert(anonymous, inFlight, AlertReason.seller(seller)),
        alert(login, inFlight, AlertReason.seller(seller)),
        alert(anonymous, before, AlertReason.seller(seller)),
        alert(login, before, AlertReason.seller(seller)));
    assertThat(fixture.notifiedOf(login))
        .containsExactlyInAnyOrder(before.getId(), inFlight.getId());
    assertThat(fixture.bell(login)).hasSize(2);
    assertThat(fixture.dedupRows(anonymous)).isZero();
  }

  @Test
  void handle_newMatch_isCountedInTheSearch() {
    String search = fixture.search(recipient, cars("car"), "");
    write(alert(recipient, fixture.publish(seller), AlertReason.search(search)));
    Alert second = alert(recipient, fixture.publish(seller), AlertReason.search(search));
    write(second);
    write(second);
    int matches =
        fixture.database.read(
            tx ->
                tx.sql("SELECT new_matches FROM favorite WHERE home = ? AND owner = ? AND kind = 2")
                    .set(Home.of(recipient))
                    .set(recipient)
                    .first(row -> row.intAt(1))
                    .orElse(0));
    assertThat(matches).isEqualTo(2);
  }
}
