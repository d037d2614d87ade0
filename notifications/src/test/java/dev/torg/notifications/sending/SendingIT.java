package dev.torg.notifications.sending;

import static dev.torg.notifications.sending.SendingFixture.SENDER;
import static dev.torg.notifications.sending.SendingFixture.anonymous;
import static dev.torg.notifications.sending.SendingFixture.event;
import static dev.torg.notifications.sending.SendingFixture.id;
import static dev.torg.notifications.sending.SendingFixture.request;
import static dev.torg.notifications.sending.SendingFixture.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.Timestamp;
import com.google.protobuf.Value;
import dev.torg.api.v1.AppVersions;
import dev.torg.api.v1.NotificationContent;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.NotificationTemplate;
import dev.torg.api.v1.SendNotificationRequest;
import dev.torg.api.v1.SentNotification;
import dev.torg.api.v1.TemplateUse;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.settings.SettingsService;
import dev.torg.notifications.settings.TestSettings;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Violation;
import dev.torg.platform.Futures;
import dev.torg.platform.Home;
import dev.torg.platform.job.JobScheduler;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.lease.LeaseCoordinator;
import dev.torg.testkit.CommitCuttingProxy;
import dev.torg.testkit.CommitCuttingProxy.Cut;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SendingIT {
  @RegisterExtension static final TestDatabase TABLES = SendingFixture.tables();

  private static CommitCuttingProxy cutter;
  private static SendingFixture fixture;

  @BeforeAll
  static void open() {
    cutter = CommitCuttingProxy.inFrontOf(TABLES.url());
    fixture = new SendingFixture(cutter.url());
  }

  @AfterAll
  static void close() {
    fixture.close();
    cutter.close();
  }

  private static Failure failure(CompletableFuture<Integer> future) {
    CompletionException failed = catchThrowableOfType(CompletionException.class, future::join);
    return (Failure) Futures.unwrap(failed);
  }

  private static List<String> invalidFields(SendNotificationRequest.Builder request) {
    Failure failure = failure(fixture.service.send(SENDER, request.build()));
    assertThat(failure.kind()).isEqualTo(Failure.Kind.INVALID);
    return failure.violations().stream().map(Violation::field).toList();
  }

  private static Timestamp in(Duration time) {
    return EpochMicros.timestamp(fixture.clock.instant().plus(time));
  }

  private static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }

  // Accepting and writing.

  @Test
  void send_severalRecipients_eachIsNotifiedOnce() throws Exception {
    String first = user();
    String second = anonymous();
    assertThat(fixture.send(request(id(), first, second, first))).isEqualTo(2);
    assertThat(fixture.titles(first)).isEmpty();
    List<Event> events = fixture.deliver();
    assertThat(events).extracting(Event::key).containsExactlyInAnyOrder(first, second);
    assertThat(fixture.titles(first)).containsExactly("Hello");
    assertThat(fixture.titles(second)).containsExactly("Hello");
    assertThat(fixture.bells.unreadCount(first).getTotal()).isEqualTo(1);
  }

  @Test
  void deliver_twiceOrTogether_writesOnce() throws Exception {
    String recipient = user();
    fixture.send(request(id(), recipient));
    double before = fixture.count("duplicate");
    List<Event> events = fixture.deliver();
    fixture.consumer.handle(events);
    fixture.consumer.handle(Stream.concat(events.stream(), events.stream()).toList());
    assertThat(fixture.titles(recipient)).containsExactly("Hello");
    assertThat(fixture.bells.unreadCount(recipient).getTotal()).isEqualTo(1);
    assertThat(fixture.count("duplicate") - before).isEqualTo(3);
  }

  @Test
  void deliver_commitCut_isWrittenOnceByTheNextAttempt() throws Exception {
    for (Cut cut : List.of(Cut.BEFORE_COMMIT, Cut.AFTER_COMMIT)) {
      String recipient = user();
      fixture.send(request(id(), recipient));
      List<Event> events = fixture.undelivered();
      cutter.cutNext(cut);
      assertThatThrownBy(() -> fixture.consumer.handle(events))
          .isInstanceOf(RuntimeException.class);
      fixture.deliver();
      assertThat(fixture.titles(recipient)).as("%s", cut).containsExactly("Hello");
      assertThat(fixture.bells.unreadCount(recipient).getTotal()).isEqualTo(1);
    }
  }

  @Test
  void deliver_poison_isRefusedAlone() {
    Event poison = event(user(), 1, new byte[] {1, 2, 3});
    assertThatThrownBy(() -> fixture.consumer.handle(List.of(poison)))
        .isInstanceOf(Exception.class);
    byte[] message = SentNotification.newBuilder().setId("x").build().toByteArray();
    assertThatThrownBy(() -> fixture.consumer.handle(List.of(event("lamp", 2, message))))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void send_largeNotification_isWrittenByItself() throws Exception {
    List<String> recipients = IntStream.range(0, 500).mapToObj(_ -> user()).toList();
    SendNotificationRequest request =
        request(id(), recipients.toArray(String[]::new)).toBuilder()
            .setContent(
                NotificationContent.newBuilder().setTitle("Long").setText("x".repeat(4_000)))
            .build();
    assertThat(fixture.send(request)).isEqualTo(500);
    fixture.deliver();
    assertThat(fixture.titles(recipients.getFirst())).containsExactly("Long");
    assertThat(fixture.titles(recipients.getLast())).containsExactly("Long");
  }

  // Idempotency.

  @Test
  void send_sameRequestAgain_changesNothing() throws Exception {
    String recipient = user();
    String other = user();
    String id = id();
    assertThat(fixture.send(request(id, recipient, other))).isEqualTo(2);
    fixture.deliver();
    assertThat(fixture.send(request(id, other, recipient, other))).isEqualTo(2);
    assertThat(fixture.undelivered()).isEmpty();
  }

  @Test
  void send_sameIdWithAnotherBody_isAConflict() throws Exception {
    String recipient = user();
    String id = id();
    fixture.send(request(id, recipient));
    Failure failure = failure(fixture.service.send(SENDER, request(id, user())));
    assertThat(failure.kind()).isEqualTo(Failure.Kind.CONFLICT);
    assertThat(failure.code()).isEqualTo("notification.id-reused");
    assertThat(fixture.deliver()).hasSize(1);
  }

  @Test
  void send_sameIdOfAnotherSender_isAnotherNotification() throws Exception {
    String recipient = user();
    String id = id();
    fixture.send(request(id, recipient));
    assertThat(fixture.service.send("service:bank", request(id, recipient)).join()).isEqualTo(1);
    fixture.deliver();
    assertThat(fixture.titles(recipient)).hasSize(2);
  }

  @Test
  void send_concurrently_isAcceptedOnceAndOneBodyWins() throws Exception {
    for (int round = 0; round < 20; round++) {
      String recipient = user();
      String id = id();
      SendNotificationRequest one = request(id, recipient);
      SendNotificationRequest other =
          one.toBuilder().setContent(NotificationContent.newBuilder().setTitle("Other")).build();
      List<CompletableFuture<Integer>> results = new ArrayList<>();
      try (SendingFixture process = new SendingFixture(TABLES.url())) {
        for (int i = 0; i < 8; i++) {
          SendingService service = i % 2 == 0 ? fixture.service : process.service;
          results.add(service.send(SENDER, i % 4 < 2 ? one : other));
        }
        results.forEach(result -> result.exceptionally(_ -> 0).join());
      }
      assertThat(results.stream().filter(CompletableFuture::isCompletedExceptionally)).hasSize(4);
      results.stream()
          .filter(CompletableFuture::isCompletedExceptionally)
          .forEach(result -> assertThat(failure(result).kind()).isEqualTo(Failure.Kind.CONFLICT));
      assertThat(fixture.deliver()).hasSize(1);
      assertThat(fixture.titles(recipient)).hasSize(1);
    }
  }

  @Test
  void send_commitResponseLost_isFoundByItsRecord() throws Exception {
    String recipient = user();
    cutter.cutNext(Cut.AFTER_COMMIT);
    assertThat(fixture.send(request(id(), recipient))).isEqualTo(1);
    assertThat(fixture.deliver()).hasSize(1);
  }

  @Test
  void send_commitNotReceived_isUnavailableAndMayBeRepeated() throws Exception {
    SendNotificationRequest request = request(id(), user());
    cutter.cutNext(Cut.BEFORE_COMMIT);
    assertThat(failure(fixture.service.send(SENDER, request)).kind())
        .isEqualTo(Failure.Kind.UNAVAILABLE);
    assertThat(fixture.undelivered()).isEmpty();
    assertThat(fixture.send(request)).isEqualTo(1);
    assertThat(fixture.deliver()).hasSize(1);
  }

  @Test
  void send_repeatedAfterItExpired_isStillANoOp() throws Exception {
    SendNotificationRequest request =
        request(id(), user()).toBuilder().setExpiresAt(in(Duration.ofMinutes(1))).build();
    assertThat(fixture.send(request)).isEqualTo(1);
    fixture.deliver();
    fixture.clock.advance(Duration.ofHours(1));
    assertThat(fixture.send(request)).isEqualTo(1);
    assertThat(fixture.undelivered()).isEmpty();
    assertThat(invalidFields(request.toBuilder().setId(id()))).containsExactly("expiresAt");
  }

  // Validation.

  @Test
  void send_invalidFields_areNamedAndNothingIsSent() {
    assertThat(invalidFields(request(id(), user()).toBuilder().setId("a b"))).containsExactly("id");
    assertThat(invalidFields(request("", user()).toBuilder())).containsExactly("id");
    assertThat(invalidFields(request(id()).toBuilder())).containsExactly("recipients");
    assertThat(
            invalidFields(
                request(id(), user()).toBuilder()
                    .addAllRecipients(Collections.nCopies(500, "user:1"))))
        .containsExactly("recipients");
    assertThat(invalidFields(request(id(), user(), "42", "service:x", "user:a b").toBuilder()))
        .containsExactly("recipients[1]", "recipients[2]", "recipients[3]");
    assertThat(invalidFields(request(id(), user()).toBuilder().addChannels("FAX")))
        .containsExactly("channels[0]");
    assertThat(invalidFields(request(id(), user()).toBuilder().clearContent()))
        .containsExactly("content");
    assertThat(
            invalidFields(
                request(id(), user()).toBuilder().setTemplate(TemplateUse.newBuilder().setId("t"))))
        .containsExactly("content");
    assertThat(
            invalidFields(
                request(id(), user()).toBuilder().setContent(NotificationContent.newBuilder())))
        .containsExactly("content.title");
    assertThat(
            invalidFields(
                request(id(), user()).toBuilder()
                    .setMinAppVersion(AppVersions.newBuilder().setIos("v5"))))
        .containsExactly("minAppVersion.ios");
    assertThat(invalidFields(request(id(), user()).toBuilder().setSendAt(in(Duration.ofDays(367)))))
        .containsExactly("sendAt");
    assertThat(
            invalidFields(
                request(id(), user()).toBuilder()
                    .setSendAt(in(Duration.ofHours(2)))
                    .setExpiresAt(in(Duration.ofHours(1)))))
        .containsExactly("expiresAt");
    assertThat(failure(fixture.service.send(SENDER, topic("lamps"))).code())
        .isEqualTo("topic.unknown");
    assertThat(fixture.undelivered()).isEmpty();
  }

  private static SendNotificationRequest topic(String topic) {
    return request(id(), user()).toBuilder().setTopic(topic).build();
  }

  // Moved identities.

  @Test
  void deliver_toIdentityThatMoved_reachesTheLoginOnce() throws Exception {
    String moved = anonymous();
    String login = user();
    fixture.send(request(id(), moved, login));
    fixture.send(request(id(), moved));
    fixture.moveToLogin(moved, login);
    double before = fixture.count("moved");
    assertThat(fixture.deliver()).hasSize(5);
    assertThat(fixture.titles(login)).containsExactly("Hello", "Hello");
    assertThat(fixture.titles(moved)).isEmpty();
    assertThat(fixture.count("moved") - before).isEqualTo(2);
  }

  @Test
  void deliver_redirectedTooOften_isCountedAsLost() throws Exception {
    String moved = anonymous();
    fixture.moveToLogin(moved, user());
    byte[] message =
        SentNotification.newBuilder()
            .setSender(SENDER)
            .setId(id())
            .setTopic(NotificationTopics.NEWS)
            .setContent(NotificationContent.newBuilder().setTitle("Hello"))
            .setMerges(3)
            .build()
            .toByteArray();
    double before = fixture.count("lost");
    fixture.consumer.handle(List.of(event(moved, 1, message)));
    assertThat(fixture.count("lost") - before).isEqualTo(1);
    assertThat(fixture.undelivered()).isEmpty();
  }

  // Time.

  private static LeaseCoordinator schedule() {
    LeaseCoordinator leases = new LeaseCoordinator(fixture.database);
    new JobScheduler(leases, fixture.clock)
        .every(
            Duration.ofMillis(50),
            "test.scheduled",
            fixture.scheduled::due,
            fixture.scheduled::run);
    return leases;
  }

  private static boolean isScheduled(String recipient) {
    return fixture.database.read(
        tx ->
            tx.sql("SELECT 1 FROM scheduled_notification WHERE home = ? AND owner = ?")
                .set(Home.of(recipient))
                .set(recipient)
                .first(_ -> true)
                .orElse(false));
  }

  @Test
  void deliver_forLater_isWrittenWhenDueAndNotBefore() throws Exception {
    String recipient = user();
    String moved = anonymous();
    String login = user();
    String expired = user();
    Timestamp sendAt = in(Duration.ofHours(3));
    fixture.send(request(id(), recipient, moved).toBuilder().setSendAt(sendAt).build());
    fixture.send(
        request(id(), expired).toBuilder()
            .setSendAt(sendAt)
            .setExpiresAt(in(Duration.ofHours(3).plusMinutes(1)))
            .build());
    List<Event> events = fixture.deliver();
    fixture.consumer.handle(events);
    fixture.moveToLogin(moved, login);
    double before = fixture.count("expired");
    try (LeaseCoordinator leases = schedule()) {
      fixture.clock.advance(Duration.ofHours(2));
      await()
          .during(Duration.ofMillis(500))
          .atMost(Duration.ofSeconds(30))
          .until(() -> isScheduled(recipient));
      assertThat(fixture.titles(recipient)).isEmpty();
      fixture.clock.advance(Duration.ofHours(2));
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> Stream.of(recipient, moved, expired).noneMatch(SendingIT::isScheduled));
      assertThat(leases).isNotNull();
    }
    fixture.deliver();
    fixture.consumer.handle(events);
    assertThat(fixture.titles(recipient)).containsExactly("Hello");
    assertThat(fixture.titles(login)).containsExactly("Hello");
    assertThat(fixture.titles(expired)).isEmpty();
    assertThat(fixture.count("expired") - before).isGreaterThanOrEqualTo(1);
  }

  @Test
  void deliver_afterExpiry_writesNothing() throws Exception {
    String recipient = user();
    Instant expiresAt = fixture.clock.instant().plusSeconds(60);
    fixture.send(
        request(id(), recipient).toBuilder()
            .setExpiresAt(EpochMicros.timestamp(expiresAt))
            .build());
    fixture.clock.advance(Duration.ofMinutes(2));
    fixture.deliver();
    assertThat(fixture.titles(recipient)).isEmpty();
  }

  // Templates.

  private static NotificationTemplate template(String id, String english, String russian) {
    return NotificationTemplate.newBuilder()
        .setId(id)
        .putLanguages("en", NotificationContent.newBuilder().setTitle(english).build())
        .putLanguages("ru", NotificationContent.newBuilder().setTitle(russian).build())
        .addParams("name")
        .build();
  }

  private static SendNotificationRequest ofTemplate(String id, String template, String recipient) {
    return request(id, recipient).toBuilder()
        .clearContent()
        .setTemplate(TemplateUse.newBuilder().setId(template).putParams("name", text("A car")))
        .build();
  }

  @Test
  void send_template_isRenderedInTheRecipientsLanguage() throws Exception {
    String english = user();
    String russian = user();
    new SettingsService(
            fixture.database, NotificationTopics.defaults(), TestSettings.stored(), List.of())
        .put(russian, NotificationSettings.newBuilder().setLanguage("ru").build());
    String template = id();
    fixture.templates.put(template(template, "Sold: {{name}}", "Продано: {{name}}"));
    fixture.send(ofTemplate(id(), template, english).toBuilder().addRecipients(russian).build());
    fixture.deliver();
    assertThat(fixture.titles(english)).containsExactly("Sold: A car");
    assertThat(fixture.titles(russian)).containsExactly("Продано: A car");
  }

  @Test
  void send_templateThatChanges_keepsTheVersionOfItsAcceptance() throws Exception {
    String recipient = user();
    String template = id();
    assertThat(fixture.templates.put(template(template, "One {{name}}", "1")).getVersion())
        .isEqualTo(1);
    SendNotificationRequest first = ofTemplate(id(), template, recipient);
    fixture.send(first);
    assertThat(fixture.templates.put(template(template, "One {{name}}", "1")).getVersion())
        .isEqualTo(1);
    NotificationTemplate second = template(template, "Two {{name}} {{more}}", "2");
    assertThat(fixture.templates.put(second.toBuilder().addParams("more").build()).getVersion())
        .isEqualTo(2);
    assertThat(fixture.send(first)).isEqualTo(1);
    fixture.deliver();
    assertThat(fixture.titles(recipient)).containsExactly("One A car");
    assertThat(invalidFields(first.toBuilder().setId(id())))
        .containsExactly("template.params.more");
  }

  @Test
  void send_unknownTemplateOrWrongParameters_isInvalid() {
    String template = id();
    assertThat(invalidFields(ofTemplate(id(), template, user()).toBuilder()))
        .containsExactly("template.id");
    fixture.templates.put(template(template, "Sold: {{name}}", "Продано"));
    SendNotificationRequest.Builder request = ofTemplate(id(), template, user()).toBuilder();
    request.getTemplateBuilder().putParams("name", text("a\u202Eb"));
    assertThat(invalidFields(request)).containsExactly("template.params.name");
    request.getTemplateBuilder().clearParams().putParams("other", text("x"));
    assertThat(invalidFields(request))
        .containsExactlyInAnyOrder("template.params.name", "template.params.other");
    assertThat(fixture.undelivered()).isEmpty();
  }

  @Test
  void put_concurrently_everyContentIsAVersion() {
    String template = id();
    List<CompletableFuture<NotificationTemplate>> stored =
        IntStream.range(0, 5)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () -> fixture.templates.put(template(template, "Title " + i, "t"))))
            .toList();
    assertThat(stored.stream().map(CompletableFuture::join).map(NotificationTemplate::getVersion))
        .doesNotHaveDuplicates();
    assertThat(fixture.templates.get(template).getVersion()).isEqualTo(5);
  }

  @Test
  void put_commitCut_isStoredOnceOrUnknown() {
    String template = id();
    cutter.cutNext(Cut.AFTER_COMMIT);
    assertThat(fixture.templates.put(template(template, "One", "1")).getVersion()).isEqualTo(1);
    cutter.cutNext(Cut.BEFORE_COMMIT);
    assertThatThrownBy(() -> fixture.templates.put(template(template, "Two", "2")))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.kind()).isEqualTo(Failure.Kind.UNAVAILABLE));
    assertThat(fixture.templates.put(template(template, "Two", "2")).getVersion()).isEqualTo(2);
  }
}
