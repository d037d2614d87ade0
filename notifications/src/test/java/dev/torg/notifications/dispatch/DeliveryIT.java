package dev.torg.notifications.dispatch;

import static dev.torg.notifications.dispatch.DeliveryFixture.TIMEOUT;
import static dev.torg.notifications.dispatch.DeliveryFixture.device;
import static dev.torg.notifications.dispatch.DeliveryFixture.entry;
import static dev.torg.notifications.dispatch.DeliveryFixture.recipient;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.api.v1.AllTopicsChannelSettings;
import dev.torg.api.v1.AllTopicsSettings;
import dev.torg.api.v1.ChannelSettings;
import dev.torg.api.v1.Limit;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.QuietHours;
import dev.torg.api.v1.TopicSettings;
import dev.torg.notifications.AggregatedNotification;
import dev.torg.notifications.Channel;
import dev.torg.notifications.DeliveryProvider;
import dev.torg.notifications.DeliveryRequest;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.bell.BellFilter;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.OutgoingMessage;
import dev.torg.notifications.delivery.CampaignProgress.Outcome;
import dev.torg.testkit.TestClock;
import dev.torg.testkit.TestDatabase;
import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// From the entry in the bell to the sender. The clock starts at 10:00 UTC.
class DeliveryIT {
  @RegisterExtension static final TestDatabase TABLES = DeliveryFixture.tables();

  private static final String NEWS = NotificationTopics.NEWS;

  private DeliveryFixture fixture;
  private DeliveryFixture.Process process;

  @BeforeEach
  void start() {
    fixture = new DeliveryFixture(TABLES);
    process = fixture.start();
  }

  @AfterEach
  void stop() {
    process.close();
    fixture.close();
  }

  @Test
  void deliver_newEntry_isSentOnceAndRecorded() {
    String recipient = fixture.withEmail();
    fixture.write(recipient, "a", NEWS, Channel.EMAIL);
    fixture.awaitOutcome(recipient, "a", "DELIVERED");
    OutgoingMessage message = fixture.sentTo(recipient).getFirst();
    assertThat(message.content().title()).isEqualTo("a");
    assertThat(message.unsubscribeUrl()).contains(recipient);
    assertThat(message.notificationId())
        .isEqualTo(
            fixture.service.list(recipient, BellFilter.ALL, 10, "").getNotifications(0).getId());
    assertThat(fixture.operations(recipient)).isZero();
  }

  @Test
  void deliver_newEntries_areCountedByChannelAndTopic() {
    String recipient = fixture.withEmail();
    String withoutContact = recipient();
    fixture.write(recipient, "a", NEWS, Channel.EMAIL);
    fixture.write(recipient, "a", NEWS, Channel.EMAIL);
    fixture.write(withoutContact, "b", NEWS, Channel.EMAIL);
    fixture.awaitOutcome(recipient, "a", "DELIVERED");
    fixture.awaitOutcome(withoutContact, "b", "SUPPRESSED no-target");
    assertThat(counted("accepted")).isEqualTo(2);
    await().atMost(TIMEOUT).until(() -> counted("sent") == 1);
    await().atMost(TIMEOUT).until(() -> counted("suppressed") == 1);
  }

  private double counted(String what) {
    return fixture
        .metrics
        .find("torg.delivery." + what)
        .tags("channel", "email", "topic", NEWS)
        .counters()
        .stream()
        .mapToDouble(Counter::count)
        .sum();
  }

  @Test
  void deliver_entryWithoutChannels_queuesNothing() {
    String recipient = fixture.withEmail();
    fixture.write(recipient, "a", NEWS);
    assertThat(fixture.operations(recipient)).isZero();
  }

  @Test
  void deliver_aggregatedEntry_isSentOnceWhenCreated() {
    String recipient = fixture.withEmail();
    aggregate(recipient, 1);
    await().atMost(TIMEOUT).until(() -> fixture.sentTo(recipient).size() == 1);
    aggregate(recipient, 2);
    String last = fixture.withEmail();
    fixture.write(last, "later", NEWS, Channel.EMAIL);
    fixture.awaitOutcome(last, "later", "DELIVERED");
    assertThat(fixture.titlesTo(recipient)).containsExactly("1 offers");
    assertThat(fixture.operations(recipient)).isZero();
  }

  private void aggregate(String recipient, int by) {
    fixture.database.inTransaction(
        tx ->
            fixture.bell.write(
                tx,
                List.of(
                    new AggregatedNotification(
                        recipient,
                        "g",
                        NEWS,
                        TestClock.START,
                        by,
                        size -> Notification.newBuilder().setTitle(size + " offers").build(),
                        DeliveryRequest.on(Set.of(Channel.EMAIL))))));
  }

  @Test
  void deliver_noContactOrNotConfiguredOrOldApp_suppressesWithReason() {
    String withoutContact = recipient();
    fixture.write(withoutContact, "a", NEWS, Channel.EMAIL);
    fixture.awaitOutcome(withoutContact, "a", "SUPPRESSED no-target");
    String old = fixture.withDevice();
    fixture.write(
        entry(
            old,
            "b",
            NEWS,
            new DeliveryRequest(
                Set.of(Channel.PUSH),
                Optional.empty(),
                Map.of("android", "1.1"),
                Optional.empty(),
                Optional.of("c"),
                Optional.of("sender-b"))));
    fixture.awaitOutcome(old, "b", "SUPPRESSED app-version");
    assertThat(fixture.progress.count("c", Outcome.SUPPRESSED)).isEqualTo(1);
    assertThat(fixture.history.find("sender-b", "")).hasSize(1);
    process.close();
    fixture.configured.remove(DeliveryProvider.EMAIL);
    process = fixture.start();
    String recipient = fixture.withEmail();
    fixture.write(recipient, "c", NEWS, Channel.EMAIL);
    fixture.awaitOutcome(recipient, "c", "SUPPRESSED channel-not-configured");
    assertThat(fixture.sent).isEmpty();
  }

  @Test
  void deliver_quietHours_holdsAndSendsOneSummaryOfWhatIsUnread() {
    String recipient = fixture.withEmail();
    fixture.settings(recipient, quiet("09:00", "11:00").setLanguage("ru"));
    IntStream.range(0, 4).forEach(i -> fixture.write(recipient, "n" + i, NEWS, Channel.EMAIL));
    fixture.write(recipient, "exempt", NotificationTopics.ACCOUNT, Channel.EMAIL);
    fixture.awaitOutcome(recipient, "exempt", "DELIVERED");
    await().atMost(TIMEOUT).until(() -> held(recipient) == 4);
    String read =
        fixture.service.list(recipient, BellFilter.ALL, 10, "").getNotificationsList().stream()
            .filter(one -> one.getTitle().equals("n1"))
            .findFirst()
            .orElseThrow()
            .getId();
    fixture.service.markRead(recipient, List.of(read), "", false);
    fixture.clock.advance(Duration.ofMinutes(59));
    assertThat(fixture.titlesTo(recipient)).containsExactly("exempt");
    fixture.clock.advance(Duration.ofMinutes(2));
    fixture.awaitOutcome(recipient, "n3", "DELIVERED");
    assertThat(fixture.titlesTo(recipient)).containsExactly("exempt", "3 новых уведомления");
    assertThat(fixture.sentTo(recipient).getLast().content().text()).isEqualTo("n0\nn2\nn3");
    assertThat(fixture.outcomesOf(recipient, read)).containsExactly("CANCELLED read");
    fixture.awaitOutcome(recipient, "n0", "DELIVERED");
  }

  private int held(String recipient) {
    return fixture.database.read(
        tx ->
            tx.sql("SELECT count(*) FROM delivery_operation WHERE owner = ? AND held")
                .set(recipient)
                .first(row -> row.intAt(1))
                .orElseThrow());
  }

  @Test
  void deliver_minimumGap_holdsUntilItEnds() {
    String recipient = fixture.withEmail();
    fixture.settings(
        recipient,
        NotificationSettings.newBuilder()
            .setAllTopics(
                AllTopicsSettings.newBuilder()
                    .putChannels(
                        "EMAIL",
                        AllTopicsChannelSettings.newBuilder().setMinGapSeconds(600).build())));
    fixture.write(recipient, "a", NEWS, Channel.EMAIL);
    fixture.awaitOutcome(recipient, "a", "DELIVERED");
    fixture.write(recipient, "b", NEWS, Channel.EMAIL);
    fixture.write(recipient, "c", NotificationTopics.PRICES, Channel.EMAIL);
    await().atMost(TIMEOUT).until(() -> held(recipient) == 2);
    fixture.clock.advance(Duration.ofMinutes(10));
    fixture.awaitOutcome(recipient, "c", "DELIVERED");
    assertThat(fixture.titlesTo(recipient)).containsExactly("a", "2 new notifications");
  }

  @Test
  void deliver_limitOfADay_holdsAcrossProcessesUntilMidnightOfTheTimezone() {
    String recipient = fixture.withEmail();
    fixture.settings(
        recipient, limit(2, Limit.Per.DAY).setTimezone("Europe/Berlin")); // 12:00 there
    fixture.write(recipient, "a", NEWS, Channel.EMAIL);
    fixture.awaitOutcome(recipient, "a", "DELIVERED");
    process.close();
    process = fixture.start();
    fixture.write(recipient, "b", NEWS, Channel.EMAIL);
    fixture.awaitOutcome(recipient, "b", "DELIVERED");
    fixture.write(recipient, "c", NEWS, Channel.EMAIL);
    fixture.awaitOutcome(recipient, "c", "SUPPRESSED topic-limit");
    fixture.clock.advance(Duration.ofHours(11).plusMinutes(59)); // 23:59
    fixture.write(recipient, "d", NEWS, Channel.EMAIL);
    fixture.awaitOutcome(recipient, "d", "SUPPRESSED topic-limit");
    fixture.clock.advance(Duration.ofMinutes(2));
    fixture.write(recipient, "e", NEWS, Channel.EMAIL);
    fixture.awaitOutcome(recipient, "e", "DELIVERED");
  }

  @Test
  void deliver_quietHoursOverAClockChange_endAtTheLocalTime() {
    String recipient = fixture.withEmail();
    // 2026-10-25 03:00 CEST is followed by 02:00 CET.
    fixture.clock.advance(Duration.between(TestClock.START, Instant.parse("2026-10-24T22:00:00Z")));
    fixture.settings(recipient, quiet("23:00", "06:00").setTimezone("Europe/Berlin"));
    fixture.write(recipient, "a", NEWS, Channel.EMAIL);
    await().atMost(TIMEOUT).until(() -> held(recipient) == 1);
    Instant due =
        fixture.database.read(
            tx ->
                tx.sql("SELECT due_at FROM delivery_operation WHERE owner = ?")
                    .set(recipient)
                    .first(row -> row.instantAt(1))
                    .orElseThrow());
    assertThat(due).isEqualTo(Instant.parse("2026-10-25T05:00:00Z"));
  }

  @Test
  void deliver_refused_isRepeatedAfterTheBackoffAndChargedOnce() {
    String recipient = fixture.withEmail();
    fixture.settings(recipient, limit(1, Limit.Per.DAY));
    fixture.provider =
        _ -> new DeliveryOutcome.Refused("http-503", Optional.of(Duration.ofMinutes(10)));
    fixture.write(recipient, "a", NEWS, Channel.EMAIL);
    fixture.awaitOutcome(recipient, "a", "REFUSED http-503");
    fixture.provider = _ -> DeliveryOutcome.delivered();
    fixture.clock.advance(Duration.ofMinutes(9));
    String other = fixture.withEmail();
    fixture.write(other, "other", NEWS, Channel.EMAIL);
    fixture.awaitOutcome(other, "other", "DELIVERED");
    assertThat(fixture.sentTo(recipient)).isEmpty();
    fixture.clock.advance(Duration.ofMinutes(1));
    fixture.awaitOutcome(recipient, "a", "DELIVERED", "REFUSED http-503");
    fixture.write(recipient, "b", NEWS, Channel.EMAIL);
    fixture.awaitOutcome(recipient, "b", "SUPPRESSED topic-limit");
  }

  @Test
  void deliver_unknownOutcome_isNeverRepeated() {
    String recipient = fixture.withEmail();
    fixture.provider = _ -> DeliveryOutcome.unknown("timeout");
    fixture.write(entry(recipient, "a", NEWS, DeliveryFixture.campaign(Channel.EMAIL, "unknown")));
    fixture.awaitOutcome(recipient, "a", "UNKNOWN timeout");
    assertThat(fixture.operations(recipient)).isZero();
    assertThat(fixture.progress.count("unknown", Outcome.FAILED)).isEqualTo(1);
  }

  @Test
  void deliver_oneOfTwoDevicesRefuses_onlyThatOneIsRepeated() {
    String recipient = recipient();
    fixture.targets.add(recipient, device("d1", "2.0"));
    fixture.targets.add(recipient, device("d2", "2.0"));
    fixture.targets.add(recipient, device("d3", ""));
    fixture.provider =
        message ->
            deviceOf(message).equals("d2")
                ? DeliveryOutcome.refused("http-429")
                : DeliveryOutcome.delivered();
    fixture.write(
        entry(
            recipient,
            "a",
            NEWS,
            new DeliveryRequest(
                Set.of(Channel.PUSH),
                Optional.empty(),
                Map.of("android", "1.5"),
                Optional.empty(),
                Optional.of("devices"),
                Optional.empty())));
    fixture.awaitOutcome(recipient, "a", "DELIVERED");
    fixture.provider = _ -> DeliveryOutcome.delivered();
    fixture.clock.advance(Duration.ofSeconds(5));
    fixture.awaitOutcome(recipient, "a", "DELIVERED", "DELIVERED");
    assertThat(fixture.sentTo(recipient))
        .extracting(DeliveryIT::deviceOf)
        .containsExactly("d1", "d2");
    assertThat(fixture.progress.count("devices", Outcome.DELIVERED)).isEqualTo(1);
  }

  private static String deviceOf(OutgoingMessage message) {
    return ((DeliveryTarget.Device) message.target()).deviceId();
  }

  @Test
  void deliver_targetGone_removesIt() {
    String recipient = fixture.withDevice();
    fixture.provider = _ -> DeliveryOutcome.targetGone("unregistered");
    fixture.write(recipient, "a", NEWS, Channel.PUSH);
    fixture.awaitOutcome(recipient, "a", "TARGET_GONE unregistered");
    await().atMost(TIMEOUT).until(() -> fixture.targets.find(recipient, Channel.PUSH).isEmpty());
  }

  @Test
  void metrics_ofMessages_areByChannelTopicAndReason() {
    String mailed = fixture.withEmail();
    fixture.write(mailed, "mailed", NEWS, Channel.EMAIL);
    fixture.awaitOutcome(mailed, "mailed", "DELIVERED");
    String unreachable = DeliveryFixture.recipient();
    fixture.write(unreachable, "unreachable", NEWS, Channel.EMAIL);
    fixture.awaitOutcome(unreachable, "unreachable", "SUPPRESSED no-target");
    fixture.provider = _ -> DeliveryOutcome.rejected("http-400");
    String rejected = fixture.withDevice();
    fixture.write(rejected, "rejected", NEWS, Channel.PUSH);
    fixture.awaitOutcome(rejected, "rejected", "REJECTED http-400");
    assertThat(counted("accepted", "channel", "email", "topic", NEWS)).isEqualTo(2);
    assertThat(counted("accepted", "channel", "push", "topic", NEWS)).isEqualTo(1);
    assertThat(counted("sent", "channel", "email", "topic", NEWS)).isEqualTo(1);
    await()
        .atMost(TIMEOUT)
        .untilAsserted(
            () ->
                assertThat(
                        counted(
                            "suppressed", "channel", "email", "topic", NEWS, "reason", "no-target"))
                    .isEqualTo(1));
    assertThat(counted("failed", "channel", "push", "topic", NEWS, "reason", "rejected-http-400"))
        .isEqualTo(1);
    assertThat(
            fixture.metrics.get("torg.delivery.provider").tag("provider", "email").timer().count())
        .isEqualTo(1);
    assertThat(fixture.metrics.get("torg.delivery.queue.operations").gauges())
        .hasSize(Channel.values().length);
    assertThat(fixture.metrics.get("torg.delivery.queue.age").gauges())
        .hasSize(Channel.values().length);
  }

  private double counted(String metric, String... tags) {
    return fixture.metrics.get("torg.delivery." + metric).tags(tags).counter().count();
  }

  @Test
  void deliver_providerDown_opensTheBreakerOfItsChannelOnlyAndDeliversTheBacklog() {
    AtomicInteger attempts = new AtomicInteger();
    fixture.provider =
        message -> {
          if (message.target().channel() == Channel.EMAIL) {
            attempts.incrementAndGet();
            return DeliveryOutcome.refused("connection-refused");
          }
          return DeliveryOutcome.delivered();
        };
    List<String> recipients = IntStream.range(0, 40).mapToObj(_ -> fixture.withEmail()).toList();
    recipients.forEach(recipient -> fixture.write(recipient, "a", NEWS, Channel.EMAIL));
    await()
        .atMost(TIMEOUT)
        .until(
            () ->
                fixture
                        .metrics
                        .get("torg.delivery.breaker.open")
                        .tag("provider", "email")
                        .gauge()
                        .value()
                    > 0);
    String other = fixture.withDevice();
    fixture.write(other, "push", NEWS, Channel.PUSH);
    fixture.awaitOutcome(other, "push", "DELIVERED");
    fixture.provider = _ -> DeliveryOutcome.delivered();
    await()
        .atMost(TIMEOUT)
        .until(
            () -> {
              fixture.clock.advance(Duration.ofSeconds(20));
              return recipients.stream().allMatch(one -> fixture.sentTo(one).size() == 1);
            });
    assertThat(attempts.get()).isLessThan(200);
    assertThat(fixture.titlesTo(other)).containsExactly("push");
  }

  private static NotificationSettings.Builder quiet(String from, String to) {
    return NotificationSettings.newBuilder()
        .setQuietHours(QuietHours.newBuilder().setFrom(from).setTo(to));
  }

  private static NotificationSettings.Builder limit(int count, Limit.Per per) {
    return NotificationSettings.newBuilder()
        .putTopics(
            NEWS,
            TopicSettings.newBuilder()
                .putChannels(
                    "EMAIL",
                    ChannelSettings.newBuilder()
                        .setLimit(Limit.newBuilder().setCount(count).setPer(per))
                        .build())
                .build());
  }
}
