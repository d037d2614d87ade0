package dev.torg.alerts.digest;

import static dev.torg.alerts.AlertsFixture.alert;
import static dev.torg.alerts.AlertsFixture.car;
import static dev.torg.alerts.AlertsFixture.cars;
import static dev.torg.alerts.AlertsFixture.events;
import static dev.torg.alerts.AlertsFixture.newUser;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.alerts.AlertsFixture;
import dev.torg.alerts.delivery.AlertDedupPartitionsJob;
import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertReason;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.NotificationSettingsServiceGrpc.NotificationSettingsServiceImplBase;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Opinion;
import dev.torg.notifications.NotificationTopics;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.job.JobScheduler;
import dev.torg.platform.lease.LeaseCoordinator;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Items are collected during the day and sent at the recipient's digest hour. A test starts at 10:00 UTC.
class DigestIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  private final String recipient = newUser();
  private final String seller = newUser();
  private AlertsFixture fixture;
  private LeaseCoordinator leases;
  private LeaseCoordinator rivals;
  private String search;

  @BeforeEach
  void open() {
    fixture = new AlertsFixture(TABLES);
    leases = new LeaseCoordinator(fixture.database);
    rivals = new LeaseCoordinator(fixture.database);
    search = fixture.search(recipient, cars("car"), "cars");
    fixture.deliverSearch(recipient, search, Delivery.DAILY);
  }

  @AfterEach
  void close() {
    leases.close();
    rivals.close();
    fixture.close();
  }

  private Offer match() throws Exception {
    return match("A car");
  }

  private Offer match(String title) throws Exception {
    Offer offer = fixture.publish(seller, car(title, 100_000));
    fixture.writer().handle(events(alert(recipient, offer, AlertReason.search(search))));
    return offer;
  }

  private void send() {
    JobScheduler jobs = new JobScheduler(leases, fixture.clock);
    jobs.every(Duration.ofMillis(100), "test.digests", fixture.digests()::run);
    JobScheduler other = new JobScheduler(rivals, fixture.clock);
    other.every(Duration.ofMillis(100), "test.digests", fixture.digests()::run);
  }

  private boolean isDone() {
    return fixture.database.read(
        tx ->
            tx.sql("SELECT count(*) FROM digest_due WHERE home = ? AND owner = ?")
                    .set(Home.of(recipient))
                    .set(recipient)
                    .first(row -> row.longAt(1))
                    .orElse(0L)
                == 0);
  }

  private void atHour(int hour, String timezone) {
    fixture.as(
        recipient,
        fixture.settingsService(),
        NotificationSettings.newBuilder().setDigestHour(hour).setTimezone(timezone).build(),
        NotificationSettingsServiceImplBase::putNotificationSettings);
  }

  @Test
  void run_atTheRecipientsHour_sendsOneEntryOnce() throws Exception {
    atHour(18, "Europe/Berlin");
    Offer first = match();
    match();
    send();
    fixture.clock.advance(Duration.ofHours(5).plusMinutes(50));
    Duration before = Duration.ofMillis(500);
    await().during(before).atMost(Duration.ofSeconds(5)).until(() -> !isDone());
    assertThat(fixture.bell(recipient)).isEmpty();
    fixture.clock.advance(Duration.ofMinutes(20));
    await().atMost(Duration.ofSeconds(20)).until(this::isDone);
    List<Notification> received = fixture.bell(recipient);
    assertThat(received).extracting(Notification::getTopic).containsExactly("digest");
    assertThat(received.getFirst().getTitle()).isEqualTo("Your digest: 2 new offers");
    assertThat(received.getFirst().getWhy().getKind()).isEqualTo("DIGEST");
    match();
    fixture.writer().handle(events(alert(recipient, first, AlertReason.search(search))));
    fixture.clock.advance(Duration.ofDays(1));
    await().atMost(Duration.ofSeconds(20)).until(() -> fixture.bell(recipient).size() == 2);
    assertThat(fixture.bell(recipient).getFirst().getTitle()).isEqualTo("Your digest: 1 new offer");
  }

  @Test
  void run_mutedTopic_isStillInTheBell() throws Exception {
    fixture.mute(recipient, NotificationTopics.DIGEST, NotificationTopics.SEARCHES);
    match();
    sendNextDay();
    assertThat(fixture.bell(recipient))
        .extracting(Notification::getTopic)
        .containsExactly("digest");
  }

  @Test
  void run_expiredOrUnsubscribedMeanwhile_isExcluded() throws Exception {
    Offer sold = match();
    match();
    fixture.withdraw(sold);
    fixture.clock.advance(Duration.ofDays(1));
    send();
    await().atMost(Duration.ofSeconds(20)).until(this::isDone);
    assertThat(fixture.bell(recipient))
        .extracting(Notification::getTitle)
        .containsExactly("Your digest: 1 new offer");
  }

  @Test
  void run_bannedMeanwhile_isExcludedWithItsTitle() throws Exception {
    Offer banned = match("A stolen car");
    match("An honest car");
    fixture.giveOpinion(banned, Opinion.Verdict.BAN);
    sendNextDay();
    assertThat(fixture.bell(recipient)).hasSize(1);
    assertThat(fixture.bell(recipient).getFirst().toString())
        .contains("Your digest: 1 new offer", "An honest car")
        .doesNotContain("A stolen car");
  }

  @Test
  void run_allBannedMeanwhile_sendsNothing() throws Exception {
    fixture.giveOpinion(match("A stolen car"), Opinion.Verdict.BAN);
    storm(1, "Another stolen car").forEach(o -> fixture.giveOpinion(o, Opinion.Verdict.BAN));
    sendNextDay();
    assertThat(fixture.bell(recipient)).isEmpty();
  }

  /// An item of a storm shows one of its offers.
  @Test
  void run_offerThatAStormShowsIsBanned_isExcludedWithItsTitle() throws Exception {
    match("An honest car");
    List<Offer> storm = storm(30, "A stolen car");
    fixture.giveOpinion(shown(), Opinion.Verdict.BAN);
    sendNextDay();
    assertThat(storm).hasSize(30);
    assertThat(fixture.bell(recipient).getFirst().toString())
        .contains("Your digest: 30 new offers", "An honest car")
        .doesNotContain("A stolen car");
  }

  /// The offer displayed by the recipient's item of a storm.
  private Offer shown() {
    OfferId id =
        fixture.database.read(
            tx ->
                tx.sql("SELECT offer_id FROM digest WHERE home = ? AND owner = ? AND kind = 3")
                    .set(Home.of(recipient))
                    .set(recipient)
                    .first(row -> new OfferId(row.longAt(1)))
                    .orElseThrow());
    return Objects.requireNonNull(fixture.offers.offers().find(List.of(id)).join().get(id));
  }

  /// Notifies the recipient of this many offers by one record.
  private List<Offer> storm(int count, String title) throws Exception {
    List<Offer> offers =
        IntStream.range(0, count).mapToObj(_ -> fixture.publish(seller, car(title, 1))).toList();
    fixture.deliverStorm(recipient, seller, AlertReason.search(search), offers);
    return offers;
  }

  private void sendNextDay() {
    fixture.clock.advance(Duration.ofDays(1));
    send();
    await().atMost(Duration.ofSeconds(20)).until(this::isDone);
  }

  @Test
  void run_unsubscribedMeanwhile_sendsNoNotification() throws Exception {
    match();
    fixture.removeSearch(recipient, search);
    fixture.clock.advance(Duration.ofDays(1));
    send();
    await().atMost(Duration.ofSeconds(20)).until(this::isDone);
    assertThat(fixture.bell(recipient)).isEmpty();
  }

  @Test
  void run_laterHourChosenMeanwhile_waitsForIt() throws Exception {
    atHour(12, "UTC");
    match();
    atHour(20, "UTC");
    assertSentAt(Duration.ofHours(10));
  }

  /// Collected for 9 o'clock the next morning.
  @Test
  void run_earlierHourChosenMeanwhile_isSentThen() throws Exception {
    match();
    atHour(20, "UTC");
    assertSentAt(Duration.ofHours(10));
  }

  /// It is 6 o'clock in New York.
  @Test
  void run_timezoneChosenMeanwhile_isSentAtItsHour() throws Exception {
    match();
    atHour(9, "America/New_York");
    assertSentAt(Duration.ofHours(3));
  }

  @Test
  void run_midnightChosenMeanwhile_isSentAtMidnightInTheTimezone() throws Exception {
    match();
    atHour(0, "Asia/Kolkata");
    assertSentAt(Duration.ofHours(8).plusMinutes(30));
  }

  /// The clocks of Berlin go back on October 25: 9 o'clock is 8:00 UTC instead of 7:00.
  @Test
  void run_clocksGoBackMeanwhile_isSentAtTheLocalHour() throws Exception {
    fixture.clock.advance(
        Duration.between(fixture.clock.instant(), Instant.parse("2026-10-24T10:00:00Z")));
    new AlertDedupPartitionsJob(fixture.database).ensure(fixture.clock.instant());
    match();
    atHour(9, "Europe/Berlin");
    assertSentAt(Duration.ofHours(22));
  }

  @Test
  void run_languageChosenMeanwhile_isInTheLanguage() throws Exception {
    match();
    fixture.put(recipient, NotificationSettings.newBuilder().setLanguage("ru").build());
    sendNextDay();
    assertThat(fixture.bell(recipient).getFirst().getTitle()).startsWith("Ваша подборка");
  }

  /// Sent this long after 10 o'clock, and not half an hour earlier.
  private void assertSentAt(Duration afterStart) {
    send();
    fixture.clock.advance(afterStart.minusMinutes(30));
    await()
        .during(Duration.ofMillis(500))
        .atMost(Duration.ofSeconds(5))
        .until(() -> fixture.bell(recipient).isEmpty());
    fixture.clock.advance(Duration.ofMinutes(40));
    await().atMost(Duration.ofSeconds(20)).until(this::isDone);
    assertThat(fixture.bell(recipient)).hasSize(1);
  }

  /// More than one page.
  @Test
  void run_largeDigest_isOneEntryWithAll() throws Exception {
    List<Offer> offers =
        IntStream.range(0, 1_100).parallel().mapToObj(_ -> fixture.publish(seller)).toList();
    fixture
        .writer()
        .handle(
            events(
                offers.stream()
                    .map(offer -> alert(recipient, offer, AlertReason.search(search)))
                    .toArray(Alert[]::new)));
    offers.subList(0, 3).forEach(fixture::withdraw);
    fixture.clock.advance(Duration.ofDays(1));
    send();
    await().atMost(Duration.ofSeconds(30)).until(this::isDone);
    assertThat(fixture.bell(recipient))
        .extracting(Notification::getTitle)
        .containsExactly("Your digest: 1097 new offers");
  }
}
