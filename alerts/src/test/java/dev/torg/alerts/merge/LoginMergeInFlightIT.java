package dev.torg.alerts.merge;

import static dev.torg.alerts.AlertsFixture.car;
import static dev.torg.alerts.AlertsFixture.cars;
import static dev.torg.alerts.AlertsFixture.newUser;
import static dev.torg.alerts.wiring.RunningAlerts.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.AlertsFixture;
import dev.torg.alerts.EndingPool;
import dev.torg.alerts.event.AlertSettings;
import dev.torg.alerts.wiring.RunningAlerts;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.Offer;
import dev.torg.platform.db.Database;
import dev.torg.platform.identity.IssuedToken;
import dev.torg.testkit.TestClock;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Users log in while offers are published, on the whole path with its topics; the process that merges them
/// ends at each of its transactions in turn.
@Tag("skip-fake-citus")
class LoginMergeInFlightIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  private static final TestClock CLOCK = new TestClock();

  /// Fewer per user than are collapsed in an hour.
  private static final int OFFERS = 15;

  private static final int USERS = 40;

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

  /// Follows a seller and saves a search for the same offers before the login, and follows the seller after
  /// it. Saves an offer whose price changes meanwhile.
  private final class MergedUser {
    private final IssuedToken anonymous;
    private final String user = newUser();
    private final String seller = newUser();
    private final List<String> published = new ArrayList<>();
    private final Offer saved;

    MergedUser(IssuedToken anonymous, int number) {
      this.anonymous = anonymous;
      saved = fixture.publish(newUser());
      fixture.save(anonymous.subject(), saved);
      fixture.follow(anonymous.subject(), seller);
      fixture.search(anonymous.subject(), cars("thing" + number), "");
      if (number % 2 == 0) {
        fixture.follow(user, seller);
      }
    }

    void publishAll(int number, CountDownLatch started) {
      for (int i = 0; i < OFFERS; i++) {
        published.add(fixture.publish(seller, car("Thing" + number, 1000)).getId());
        started.countDown();
      }
    }
  }

  @Test
  void merge_interruptedAnywhereWhileOffersArrive_everyOfferIsDeliveredOnce() {
    List<MergedUser> users = new ArrayList<>();
    int ends = 0;
    for (int after = 0; after < USERS; after++) {
      try (EndingPool pool = new EndingPool(TABLES);
          AlertsFixture endingProcess =
              new AlertsFixture(new Database(pool), CLOCK, fixture.settings)) {
        MergedUser user = new MergedUser(endingProcess.tokens.issueAnonymous(), after);
        users.add(user);
        ends += isInterrupted(user, pool, endingProcess, after) ? 1 : 0;
      }
    }
    assertThat(ends).isGreaterThan(USERS / 4);
    users.forEach(user -> eventually(() -> offersNotified(user).size() >= OFFERS));
    MergedUser last = users.getLast();
    running.awaitDelivery(last.user, last.seller);
    last.published.add(fixture.bell(last.user).getFirst().getOfferId());
    running.work();
    CLOCK.advance(Duration.ofSeconds(61));
    users.forEach(user -> eventually(() -> pricesNotified(user).size() == 1));
    for (MergedUser user : users) {
      assertThat(offersNotified(user)).containsExactlyInAnyOrderElementsOf(user.published);
      assertThat(pricesNotified(user)).containsExactly(user.saved.getId());
      assertThat(fixture.bell(user.anonymous.subject())).isEmpty();
    }
    assertThat(running.parkedEvents.list(1)).isEmpty();
  }

  private boolean isInterrupted(
      MergedUser user, EndingPool pool, AlertsFixture endingProcess, int after) {
    CountDownLatch started = new CountDownLatch(OFFERS / 3);
    CompletableFuture<Void> publishing =
        CompletableFuture.runAsync(() -> user.publishAll(after, started));
    await(started);
    pool.endAfter(after);
    boolean ended = endingProcess.isInterrupted(user.anonymous, user.user);
    fixture.reprice(user.saved, 90_000);
    publishing.join();
    pool.endAfter(Integer.MAX_VALUE);
    assertThat(endingProcess.isInterrupted(user.anonymous, user.user)).isFalse();
    return ended;
  }

  private static void await(CountDownLatch latch) {
    eventually(() -> latch.getCount() == 0);
  }

  private List<String> offersNotified(MergedUser user) {
    return fixture.bell(user.user).stream()
        .filter(notification -> !notification.getWhy().getKind().equals("PRICE"))
        .map(Notification::getOfferId)
        .toList();
  }

  private List<String> pricesNotified(MergedUser user) {
    return fixture.bell(user.user).stream()
        .filter(notification -> notification.getWhy().getKind().equals("PRICE"))
        .map(Notification::getOfferId)
        .toList();
  }
}
