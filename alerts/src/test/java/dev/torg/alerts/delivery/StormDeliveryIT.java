package dev.torg.alerts.delivery;

import static dev.torg.alerts.AlertsFixture.alert;
import static dev.torg.alerts.AlertsFixture.car;
import static dev.torg.alerts.AlertsFixture.cars;
import static dev.torg.alerts.AlertsFixture.newUser;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.AlertsFixture;
import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.event.OfferPositions;
import dev.torg.alerts.event.StormAlert;
import dev.torg.alerts.storm.StormStore;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.Offer;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.kafka.Event;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Delivery of many offers of one seller in one record.
class StormDeliveryIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  private static AlertsFixture fixture;

  private final String recipient = newUser();
  private final String seller = newUser();
  private final StormStore storms = new StormStore();
  private final List<Offer> offers = new ArrayList<>();
  private Map<OfferId, Integer> positions = Map.of();

  @BeforeAll
  static void open() {
    fixture = new AlertsFixture(TABLES);
  }

  @AfterAll
  static void close() {
    fixture.close();
  }

  private void publish(int count) {
    IntStream.range(0, count).forEach(i -> offers.add(fixture.publish(seller, car("Car " + i, 1))));
    number();
  }

  private void number() {
    positions = fixture.number(seller, offers);
  }

  private OfferPositions positions(int from, int to) {
    BitSet bits = new BitSet();
    offers.subList(from, to).forEach(o -> bits.set(positions.get(OfferId.parse(o.getId()))));
    return OfferPositions.of(bits);
  }

  private StormAlert storm(String to, int from, int until, AlertReason... reasons) {
    Map<AlertReason, OfferPositions> matches = new LinkedHashMap<>();
    for (AlertReason reason : reasons) {
      matches.put(reason, positions(from, until));
    }
    return new StormAlert(to, seller, matches);
  }

  private static void write(StormAlert... alerts) {
    handle(AlertsFixture.events(alerts));
  }

  private static void write(Alert alert) {
    handle(AlertsFixture.events(alert));
  }

  private static void handle(List<Event> events) {
    try {
      fixture.writer().handle(events);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> titles(String recipient) {
    return fixture.bell(recipient).stream().map(Notification::getTitle).toList();
  }

  @Test
  void handle_stormTwice_isOneEntryThatCountsEachOfferOnce() {
    fixture.follow(recipient, seller);
    publish(100);
    write(storm(recipient, 0, 60, AlertReason.seller(seller)));
    write(storm(recipient, 0, 60, AlertReason.seller(seller)));
    assertThat(titles(recipient)).containsExactly("60 new offers");
    write(
        storm(recipient, 40, 100, AlertReason.seller(seller)),
        storm(recipient, 0, 90, AlertReason.seller(seller)));
    assertThat(titles(recipient)).containsExactly("100 new offers");
    assertThat(fixture.dedupRows(recipient)).isZero();
  }

  /// The offers that a recipient was notified of are stored in blocks of 8,192 positions.
  @Test
  void handle_positionsOfTwoBlocks_countEachOnce() {
    fixture.follow(recipient, seller);
    publish(1);
    fixture.database.inTransaction(
        tx ->
            tx.sql("UPDATE storm SET last_position = 8180 WHERE home = ? AND seller = ?")
                .set(Home.of(seller))
                .set(seller)
                .update());
    publish(40);
    write(storm(recipient, 0, 41, AlertReason.seller(seller)));
    write(storm(recipient, 10, 41, AlertReason.seller(seller)));
    assertThat(titles(recipient)).containsExactly("41 new offers");
    write(alert(recipient, offers.get(5), AlertReason.seller(seller)));
    write(alert(recipient, offers.get(39), AlertReason.seller(seller)));
    assertThat(titles(recipient)).containsExactly("41 new offers");
  }

  @Test
  void handle_offersNotifiedSingly_areExcludedFromTheStorm() {
    fixture.follow(recipient, seller);
    publish(30);
    write(alert(recipient, offers.get(3), AlertReason.seller(seller)));
    write(alert(recipient, offers.get(4), AlertReason.seller(seller)));
    write(storm(recipient, 0, 30, AlertReason.seller(seller)));
    assertThat(titles(recipient)).containsExactlyInAnyOrder("Car 3", "Car 4", "28 new offers");
  }

  @Test
  void handle_singleAlertAfterTheStorm_isNotNew() {
    fixture.follow(recipient, seller);
    String search = fixture.search(recipient, cars("car"), "");
    publish(30);
    write(storm(recipient, 0, 29, AlertReason.seller(seller)));
    write(alert(recipient, offers.get(3), AlertReason.search(search)));
    write(alert(recipient, offers.get(29), AlertReason.search(search)));
    assertThat(titles(recipient)).hasSize(2).contains("29 new offers");
    write(storm(recipient, 0, 30, AlertReason.seller(seller)));
    assertThat(titles(recipient)).hasSize(2).contains("29 new offers");
  }

  @Test
  void handle_followAndSearch_countEachOfferOnceForTheDecidingReason() {
    fixture.follow(recipient, seller);
    String search = fixture.search(recipient, cars("car"), "cars");
    publish(50);
    write(storm(recipient, 0, 50, AlertReason.seller(seller)));
    write(storm(recipient, 10, 40, AlertReason.search(search)));
    assertThat(titles(recipient)).containsExactly("50 new offers");
    String other = newUser();
    fixture.follow(other, seller);
    String own = fixture.search(other, cars("car"), "cars");
    fixture.deliverSearch(other, own, Delivery.DAILY);
    offers.clear();
    publish(50);
    // The rule about the seller is always read, and INSTANT decides.
    write(storm(other, 0, 50, AlertReason.search(own)));
    assertThat(titles(other)).containsExactly("50 new offers");
  }

  @Test
  void handle_rulesAndOffersThatDoNotCount_areExcluded() {
    String notFollowing = newUser();
    String blocking = newUser();
    fixture.follow(blocking, seller);
    fixture.block(blocking, seller);
    publish(10);
    fixture.clock.advance(Duration.ofSeconds(1));
    fixture.follow(recipient, seller);
    fixture.clock.advance(Duration.ofSeconds(1));
    publish(30);
    fixture.withdraw(offers.get(20));
    for (String user : List.of(recipient, notFollowing, blocking, seller)) {
      write(storm(user, 0, 40, AlertReason.seller(seller)));
    }
    assertThat(titles(recipient)).containsExactly("29 new offers");
    assertThat(titles(notFollowing)).isEmpty();
    assertThat(titles(blocking)).isEmpty();
    assertThat(titles(seller)).isEmpty();
    // An offer that was not counted is still new once it counts.
    fixture.reactivate(offers.get(20));
    write(storm(recipient, 0, 40, AlertReason.seller(seller)));
    assertThat(titles(recipient)).containsExactly("30 new offers");
  }

  @Test
  void handle_daily_isOneItemOfTheDigest() {
    String search = fixture.search(recipient, cars("car"), "cars");
    fixture.deliverSearch(recipient, search, Delivery.DAILY);
    publish(40);
    write(storm(recipient, 0, 40, AlertReason.search(search)));
    write(storm(recipient, 0, 40, AlertReason.search(search)));
    assertThat(titles(recipient)).isEmpty();
    List<Integer> items =
        fixture.database.read(
            tx ->
                tx.sql("SELECT offers FROM digest WHERE home = ? AND owner = ? AND kind = 3")
                    .set(Home.of(recipient))
                    .set(recipient)
                    .list(row -> row.intAt(1)));
    assertThat(items).containsExactly(40);
  }

  @Test
  void handle_recipientHasMerged_loginIsNotNotifiedAgain() {
    var token = fixture.tokens.issueAnonymous();
    String anonymous = token.subject();
    String login = newUser();
    fixture.follow(anonymous, seller);
    publish(50);
    write(storm(anonymous, 0, 30, AlertReason.seller(seller)));
    fixture.mergeInto(token, login);
    write(storm(anonymous, 0, 50, AlertReason.seller(seller)));
    write(storm(login, 0, 50, AlertReason.seller(seller)));
    assertThat(titles(login)).containsExactlyInAnyOrder("30 new offers", "20 new offers");
  }

  /// Single alerts and storms of the same offers, delivered by many threads concurrently.
  @Test
  void handle_singlesAndStormsRace_everyOfferCountsOnce() {
    List<String> recipients = IntStream.range(0, 10).mapToObj(_ -> newUser()).toList();
    recipients.forEach(user -> fixture.follow(user, seller));
    publish(60);
    List<Runnable> all = new ArrayList<>();
    for (String user : recipients) {
      all.add(() -> write(storm(user, 0, 40, AlertReason.seller(seller))));
      all.add(() -> write(storm(user, 30, 60, AlertReason.seller(seller))));
      for (int i = 20; i < 50; i += 2) {
        Offer offer = offers.get(i);
        all.add(() -> write(alert(user, offer, AlertReason.seller(seller))));
      }
    }
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<CompletableFuture<Void>> writers = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        List<Runnable> tasks = new ArrayList<>(all);
        Collections.shuffle(tasks);
        writers.add(CompletableFuture.runAsync(() -> tasks.forEach(Runnable::run), threads));
      }
      writers.forEach(CompletableFuture::join);
    }
    for (String user : recipients) {
      assertThat(notifiedOffers(user)).as(user).isEqualTo(60);
    }
  }

  /// The number of offers that the entries of a bell represent.
  private static long notifiedOffers(String recipient) {
    return fixture.database.read(
        tx ->
            tx.sql("SELECT coalesce(sum(size), 0) FROM notification WHERE home = ? AND owner = ?")
                .set(Home.of(recipient))
                .set(recipient)
                .first(row -> row.longAt(1))
                .orElse(0L));
  }
}
