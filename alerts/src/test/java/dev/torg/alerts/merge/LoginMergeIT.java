package dev.torg.alerts.merge;

import static dev.torg.alerts.AlertsFixture.alert;
import static dev.torg.alerts.AlertsFixture.events;
import static dev.torg.alerts.AlertsFixture.newUser;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.alerts.AlertsFixture;
import dev.torg.alerts.EndingPool;
import dev.torg.alerts.digest.SendDigestsJob;
import dev.torg.alerts.event.AlertReason;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.GetNotificationSettingsRequest;
import dev.torg.api.v1.GetUnreadCountRequest;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.NotificationServiceGrpc.NotificationServiceImplBase;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.NotificationSettingsServiceGrpc.NotificationSettingsServiceImplBase;
import dev.torg.api.v1.Offer;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.identity.IssuedToken;
import dev.torg.platform.job.JobScheduler;
import dev.torg.platform.lease.LeaseCoordinator;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Notifications and digest items of an anonymous user are merged into the login: none is lost, none is sent
/// twice.
class LoginMergeIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  private final String login = newUser();
  private final String seller = newUser();
  private AlertsFixture fixture;
  private final AtomicIntegerArray runs = new AtomicIntegerArray(Home.GROUPS);
  private LeaseCoordinator leases;
  private IssuedToken token;
  private String anonymous;

  @BeforeEach
  void open() {
    fixture = new AlertsFixture(TABLES);
    leases = new LeaseCoordinator(fixture.database);
    token = fixture.tokens.issueAnonymous();
    anonymous = token.subject();
  }

  @AfterEach
  void close() {
    leases.close();
    fixture.close();
  }

  private void follow(String recipient, Delivery delivery) {
    fixture.follow(recipient, seller);
    fixture.deliverSeller(recipient, seller, delivery);
  }

  private Offer notifyRecipients(String recipient) throws Exception {
    Offer offer = fixture.publish(seller);
    fixture.writer().handle(events(alert(recipient, offer, AlertReason.seller(seller))));
    return offer;
  }

  private void merge() {
    assertThat(fixture.isInterrupted(token, login)).isFalse();
  }

  private void sendDigests() {
    SendDigestsJob digests = fixture.digests();
    new JobScheduler(leases, fixture.clock)
        .every(
            Duration.ofMillis(50),
            "test.digests",
            (lease, now) -> {
              boolean more = digests.run(lease, now);
              runs.incrementAndGet(lease.group());
              return more;
            });
  }

  /// Sends all due digests.
  private void awaitDigestRuns(String recipient) {
    int group = Home.of(recipient).group();
    int before = runs.get(group);
    await().atMost(Duration.ofSeconds(20)).until(() -> runs.get(group) >= before + 2);
  }

  private boolean isDone(String recipient) {
    return fixture.database.read(
            tx ->
                tx.sql("SELECT count(*) FROM digest_due WHERE home = ? AND owner = ?")
                    .set(Home.of(recipient))
                    .set(recipient)
                    .first(row -> row.longAt(1))
                    .orElse(0L))
        == 0;
  }

  private void awaitDigests(String... recipients) {
    for (String recipient : recipients) {
      await().atMost(Duration.ofSeconds(20)).until(() -> isDone(recipient));
    }
  }

  private List<String> titles() {
    return fixture.bell(login).stream().map(Notification::getTitle).toList();
  }

  @Test
  void merge_bothHadTheirDigestThatDay_keepsBoth() throws Exception {
    follow(anonymous, Delivery.DAILY);
    follow(login, Delivery.DAILY);
    notifyRecipients(anonymous);
    notifyRecipients(login);
    notifyRecipients(login);
    fixture.clock.advance(Duration.ofDays(1));
    sendDigests();
    awaitDigests(anonymous, login);
    merge();
    assertThat(titles())
        .containsExactlyInAnyOrder("Your digest: 1 new offer", "Your digest: 2 new offers");
  }

  @Test
  void merge_digestDueBeforeTheLoginsOwn_bothAreDelivered() throws Exception {
    follow(anonymous, Delivery.DAILY);
    follow(login, Delivery.DAILY);
    notifyRecipients(anonymous);
    fixture.clock.advance(Duration.ofDays(1));
    sendDigests();
    awaitDigests(anonymous);
    leases.close();
    leases = new LeaseCoordinator(fixture.database);
    // A process whose clock is slightly behind collects for the hour that has just begun.
    fixture.clock.advance(Duration.ofDays(-1));
    notifyRecipients(login);
    fixture.clock.advance(Duration.ofDays(1));
    merge();
    sendDigests();
    awaitDigests(login);
    assertThat(titles()).containsExactly("Your digest: 1 new offer", "Your digest: 1 new offer");
  }

  @Test
  void merge_bothHadAStormThatHour_keepsBoth() throws Exception {
    follow(anonymous, Delivery.INSTANT);
    follow(login, Delivery.INSTANT);
    List<Offer> offers = new ArrayList<>();
    for (int i = 0; i < 23; i++) {
      offers.add(notifyRecipients(anonymous));
    }
    for (int i = 0; i < 22; i++) {
      offers.add(notifyRecipients(login));
    }
    merge();
    assertThat(titles()).contains("3 new offers", "2 new offers").hasSize(42);
    assertThat(fixture.dedupRows(login)).isEqualTo(offers.size());
  }

  @Test
  void merge_loginWasNotifiedOfADigestItem_isNotNotifiedAgain() throws Exception {
    follow(anonymous, Delivery.DAILY);
    follow(login, Delivery.INSTANT);
    Offer both = notifyRecipients(anonymous);
    fixture.writer().handle(events(alert(login, both, AlertReason.seller(seller))));
    notifyRecipients(anonymous);
    merge();
    fixture.clock.advance(Duration.ofDays(1));
    sendDigests();
    awaitDigests(login);
    assertThat(titles()).containsExactlyInAnyOrder(both.getTitle(), "Your digest: 1 new offer");
  }

  /// The login was notified of an offer in a storm; the anonymous side has it in its digest.
  @Test
  void merge_loginWasNotifiedInAStorm_digestDoesNotRepeatIt() throws Exception {
    follow(anonymous, Delivery.DAILY);
    follow(login, Delivery.INSTANT);
    List<Offer> storm = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      storm.add(fixture.publish(seller));
    }
    for (Offer offer : storm.subList(0, 3)) {
      fixture.writer().handle(events(alert(anonymous, offer, AlertReason.seller(seller))));
    }
    notifyInStorm(login, storm.subList(1, 30));
    merge();
    fixture.clock.advance(Duration.ofDays(1));
    sendDigests();
    awaitDigests(login);
    assertThat(titles()).containsExactlyInAnyOrder("29 new offers", "Your digest: 1 new offer");
  }

  /// A digest item of a storm counts only offers that are new to the login.
  @Test
  void merge_bothWereNotifiedInAStorm_digestCountsTheOthers() throws Exception {
    follow(anonymous, Delivery.DAILY);
    follow(login, Delivery.INSTANT);
    List<Offer> storm = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      storm.add(fixture.publish(seller));
    }
    notifyInStorm(anonymous, storm.subList(0, 25));
    notifyInStorm(anonymous, storm.subList(25, 60));
    notifyInStorm(login, storm.subList(10, 60));
    merge();
    fixture.clock.advance(Duration.ofDays(1));
    sendDigests();
    awaitDigests(login);
    assertThat(titles()).containsExactlyInAnyOrder("50 new offers", "Your digest: 10 new offers");
  }

  private void notifyInStorm(String recipient, List<Offer> offers) throws Exception {
    fixture.deliverStorm(recipient, seller, AlertReason.seller(seller), offers);
  }

  /// If the process ends between copying a page and removing it, the login's digest may be sent before
  /// another process continues: none of its items is sent again, and none before the favorites that are its
  /// reasons are merged.
  @Test
  void merge_interruptedAnywhereAndDigestDueMeanwhile_isDeliveredOnce() throws Exception {
    sendDigests();
    int ends = 0;
    boolean ended = true;
    for (int after = 0; ended; after++) {
      try (EndingPool pool = new EndingPool(TABLES);
          AlertsFixture endingProcess =
              new AlertsFixture(new Database(pool), fixture.clock, fixture.settings)) {
        ended = isInterrupted(pool, endingProcess, after);
        ends += ended ? 1 : 0;
      }
    }
    assertThat(ends).isGreaterThan(10);
  }

  private boolean isInterrupted(EndingPool pool, AlertsFixture endingProcess, int after)
      throws Exception {
    IssuedToken anonymous = endingProcess.tokens.issueAnonymous();
    String user = newUser();
    follow(anonymous.subject(), Delivery.DAILY);
    notifyRecipients(anonymous.subject());
    notifyRecipients(anonymous.subject());
    pool.endAfter(after);
    boolean ended = endingProcess.isInterrupted(anonymous, user);
    pool.endAfter(Integer.MAX_VALUE);
    fixture.clock.advance(Duration.ofDays(1));
    awaitDigestRuns(user);
    assertThat(endingProcess.isInterrupted(anonymous, user)).isFalse();
    fixture.clock.advance(Duration.ofDays(1));
    awaitDigests(user);
    assertThat(fixture.bell(user))
        .as("cut off after %d transactions", after)
        .extracting(Notification::getTitle)
        .containsExactly("Your digest: 2 new offers");
    assertThat(fixture.bell(anonymous.subject())).isEmpty();
    return ended;
  }

  /// The process ends at every point of the merge while alerts are in flight to both sides: the delivery that
  /// finds the merge completes it.
  @Test
  void merge_interruptedAnywhereWithAlertsInFlight_eachIsDeliveredOnce() throws Exception {
    int ends = 0;
    boolean ended = true;
    for (int after = 0; ended; after++) {
      try (EndingPool pool = new EndingPool(TABLES);
          AlertsFixture endingProcess =
              new AlertsFixture(new Database(pool), fixture.clock, fixture.settings)) {
        MergedUser user = new MergedUser(endingProcess.tokens.issueAnonymous(), newUser());
        user.live();
        pool.endAfter(after);
        ended = endingProcess.isInterrupted(user.anonymous, user.user);
        pool.endAfter(Integer.MAX_VALUE);
        user.getWhatIsInFlight();
        assertThat(endingProcess.isInterrupted(user.anonymous, user.user)).isFalse();
        user.assertNotifiedOfAllOnce("cut off after " + after + " transactions");
        ends += ended ? 1 : 0;
      }
    }
    assertThat(ends).isGreaterThan(20);
  }

  /// A user with items of each kind on the anonymous side, and some on the other.
  private final class MergedUser {
    private final IssuedToken anonymous;
    private final String user;
    private final String daily = newUser();
    private final List<String> notified = new ArrayList<>();
    private final List<String> waiting = new ArrayList<>();
    private Offer inFlight = Offer.getDefaultInstance();
    private Offer toBoth = Offer.getDefaultInstance();

    MergedUser(IssuedToken anonymous, String user) {
      this.anonymous = anonymous;
      this.user = user;
    }

    void live() throws Exception {
      fixture.follow(anonymous.subject(), seller);
      fixture.follow(anonymous.subject(), daily);
      fixture.deliverSeller(anonymous.subject(), daily, Delivery.DAILY);
      fixture.follow(user, seller);
      fixture.as(
          anonymous.subject(),
          fixture.settingsService(),
          NotificationSettings.newBuilder().setTimezone("Asia/Tokyo").build(),
          NotificationSettingsServiceImplBase::putNotificationSettings);
      for (int i = 0; i < 3; i++) {
        notified.add(notifyRecipients(i == 0 ? user : anonymous.subject()).getId());
        waiting.add(receive(anonymous.subject(), daily, fixture.publish(daily)).getId());
      }
      // The same offer to both, before the login.
      Offer twice = fixture.publish(seller);
      notified.add(receive(user, seller, receive(anonymous.subject(), seller, twice)).getId());
      inFlight = fixture.publish(daily);
      toBoth = fixture.publish(seller);
      notified.add(toBoth.getId());
      waiting.add(inFlight.getId());
    }

    void getWhatIsInFlight() throws Exception {
      for (int times = 0; times < 2; times++) {
        receive(user, seller, toBoth);
        receive(anonymous.subject(), seller, toBoth);
        receive(anonymous.subject(), daily, inFlight);
      }
    }

    private Offer receive(String recipient, String user, Offer offer) throws Exception {
      fixture.writer().handle(events(alert(recipient, offer, AlertReason.seller(user))));
      return offer;
    }

    void assertNotifiedOfAllOnce(String when) {
      assertThat(fixture.notifiedOf(user)).as(when).containsExactlyInAnyOrderElementsOf(notified);
      assertThat(unread(user)).as(when).isEqualTo(notified.size());
      assertThat(digest(user)).as(when).containsExactlyInAnyOrderElementsOf(waiting);
      assertThat(fixture.dedupRows(user)).as(when).isEqualTo(notified.size() + waiting.size());
      assertThat(fixture.bell(anonymous.subject())).as(when).isEmpty();
      assertThat(digest(anonymous.subject())).as(when).isEmpty();
      assertThat(fixture.dedupRows(anonymous.subject())).as(when).isZero();
      assertThat(unread(anonymous.subject())).as(when).isZero();
      assertThat(settings(user).getTimezone()).as(when).isEqualTo("Asia/Tokyo");
    }
  }

  private List<String> digest(String recipient) {
    return fixture.database.read(
        tx ->
            tx.sql("SELECT offer_id FROM digest WHERE home = ? AND owner = ?")
                .set(Home.of(recipient))
                .set(recipient)
                .list(row -> new OfferId(row.longAt(1)).toString()));
  }

  private int unread(String recipient) {
    return fixture
        .as(
            recipient,
            fixture.notificationService(),
            GetUnreadCountRequest.getDefaultInstance(),
            NotificationServiceImplBase::getUnreadCount)
        .getTotal();
  }

  private NotificationSettings settings(String recipient) {
    return fixture.as(
        recipient,
        fixture.settingsService(),
        GetNotificationSettingsRequest.getDefaultInstance(),
        NotificationSettingsServiceImplBase::getNotificationSettings);
  }
}
