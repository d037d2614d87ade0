package dev.torg.alerts.merge;

import static dev.torg.alerts.AlertsFixture.car;
import static dev.torg.alerts.AlertsFixture.cars;
import static dev.torg.alerts.AlertsFixture.person;
import static dev.torg.alerts.wiring.RunningAlerts.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.AlertsFixture;
import dev.torg.alerts.EndingPool;
import dev.torg.alerts.TestClock;
import dev.torg.alerts.event.AlertSettings;
import dev.torg.alerts.wiring.RunningAlerts;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.Offer;
import dev.torg.platform.db.Database;
import dev.torg.platform.identity.IssuedToken;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// People log in while offers are published, on the whole path with its topics, and the process that
/// moves them ends at one point after the other.
class LoginMergeInFlightIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  private static final TestClock CLOCK = new TestClock();

  /// Fewer a person than what an hour collapses.
  private static final int OFFERS = 15;

  private static final int PEOPLE = 40;

  private AlertsFixture fixture;
  private RunningAlerts running;

  @BeforeEach
  void open() {
    fixture = new AlertsFixture(TABLES, CLOCK, AlertSettings.defaults(AlertsFixture.temporary()));
    running = RunningAlerts.started(fixture);
  }

  @AfterEach
  void close() {
    running.close();
    fixture.close();
  }

  /// Follows a seller and searches for the same things, before the login; follows the seller after it
  /// too. Saved an offer whose price changes meanwhile.
  private final class Person {
    private final IssuedToken guest;
    private final String user = person();
    private final String seller = person();
    private final List<String> published = new ArrayList<>();
    private final Offer saved;

    Person(IssuedToken guest, int number) {
      this.guest = guest;
      saved = fixture.publish(person());
      fixture.save(guest.subject(), saved);
      fixture.follow(guest.subject(), seller);
      fixture.search(guest.subject(), cars("thing" + number), "");
      if (number % 2 == 0) {
        fixture.follow(user, seller);
      }
    }

    void publishAll(int number, CountDownLatch some) {
      for (int i = 0; i < OFFERS; i++) {
        published.add(fixture.publish(seller, car("Thing" + number, 1000)).getId());
        some.countDown();
      }
    }
  }

  @Test
  void move_cutOffAnywhereWhileOffersArrive_everyOfferIsDeliveredOnce() {
    List<Person> people = new ArrayList<>();
    int ends = 0;
    for (int after = 0; after < PEOPLE; after++) {
      try (EndingPool pool = new EndingPool(TABLES);
          AlertsFixture ending = new AlertsFixture(new Database(pool), CLOCK, fixture.settings)) {
        Person one = new Person(ending.tokens.issueAnonymous(), after);
        people.add(one);
        ends += isCutOff(one, pool, ending, after) ? 1 : 0;
      }
    }
    assertThat(ends).isGreaterThan(PEOPLE / 4);
    people.forEach(one -> eventually(() -> offersNotified(one).size() >= OFFERS));
    Person last = people.getLast();
    running.settle(last.user, last.seller);
    last.published.add(fixture.bell(last.user).getFirst().getOfferId());
    running.work();
    CLOCK.advance(Duration.ofSeconds(61));
    people.forEach(one -> eventually(() -> pricesNotified(one).size() == 1));
    for (Person one : people) {
      assertThat(offersNotified(one)).containsExactlyInAnyOrderElementsOf(one.published);
      assertThat(pricesNotified(one)).containsExactly(one.saved.getId());
      assertThat(fixture.bell(one.guest.subject())).isEmpty();
    }
    assertThat(running.parkedEvents.list(1)).isEmpty();
  }

  private boolean isCutOff(Person one, EndingPool pool, AlertsFixture ending, int after) {
    CountDownLatch some = new CountDownLatch(OFFERS / 3);
    CompletableFuture<Void> publishing =
        CompletableFuture.runAsync(() -> one.publishAll(after, some));
    await(some);
    pool.endAfter(after);
    boolean ended = ending.isCutOff(one.guest, one.user);
    fixture.reprice(one.saved, 90_000);
    publishing.join();
    pool.endAfter(Integer.MAX_VALUE);
    assertThat(ending.isCutOff(one.guest, one.user)).isFalse();
    return ended;
  }

  private static void await(CountDownLatch latch) {
    eventually(() -> latch.getCount() == 0);
  }

  private List<String> offersNotified(Person one) {
    return fixture.bell(one.user).stream()
        .filter(notification -> !notification.getWhy().getKind().equals("PRICE"))
        .map(Notification::getOfferId)
        .toList();
  }

  private List<String> pricesNotified(Person one) {
    return fixture.bell(one.user).stream()
        .filter(notification -> notification.getWhy().getKind().equals("PRICE"))
        .map(Notification::getOfferId)
        .toList();
  }
}
