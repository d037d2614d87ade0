package dev.torg.notifications.campaign;

import static dev.torg.notifications.campaign.CampaignFixture.SENDER;
import static dev.torg.notifications.campaign.CampaignFixture.criterion;
import static dev.torg.notifications.campaign.CampaignFixture.lines;
import static dev.torg.notifications.campaign.CampaignFixture.request;
import static dev.torg.notifications.campaign.CampaignFixture.users;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import dev.torg.api.v1.Campaign;
import dev.torg.api.v1.Campaign.Status;
import dev.torg.api.v1.CreateCampaignRequest;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.RecipientUploadResult;
import dev.torg.api.v1.TemplateUse;
import dev.torg.notifications.bell.BellChanges;
import dev.torg.notifications.bell.StoredBell;
import dev.torg.notifications.campaign.CampaignFixture.PagedSellers;
import dev.torg.notifications.merge.PagedBellMerge;
import dev.torg.notifications.settings.SettingsStore;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.testkit.TestClock;
import dev.torg.testkit.TestDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CampaignsIT {
  @RegisterExtension static final TestDatabase TABLES = CampaignFixture.tables();

  private static final TestClock CLOCK = new TestClock();
  private static final List<String> SELLERS = users("seller", 1_000);
  private static final CampaignFixture FIXTURE =
      new CampaignFixture(TABLES.url(), CLOCK, new PagedSellers(SELLERS));

  @BeforeAll
  static void start() {
    FIXTURE.start();
  }

  @AfterAll
  static void close() {
    FIXTURE.close();
  }

  @Test
  void create_namedRecipients_startsAtOnceAndWritesEachOnce() {
    CreateCampaignRequest request = request("named", users("named", 300)).build();
    Campaign created = FIXTURE.campaigns.create(SENDER, request);
    assertThat(created.getStatus()).isIn(Status.RUNNING, Status.FINISHED);
    Campaign finished = FIXTURE.awaitStatus("named", Status.FINISHED);
    assertThat(finished.getProgress().getAccepted()).isEqualTo(300);
    assertThat(finished.getProgress().getWritten()).isEqualTo(300);
    assertThat(FIXTURE.campaigns.create(SENDER, request)).isEqualTo(finished);
    assertThat(FIXTURE.entries("named")).isEqualTo(300);
    assertThat(FIXTURE.inexact("named")).isZero();
  }

  @Test
  void create_idWithAnotherBody_isConflictOfTheSameSenderOnly() {
    FIXTURE.campaigns.create(SENDER, request("reused").build());
    CreateCampaignRequest other = request("reused").setTopic("account").build();
    assertThatThrownBy(() -> FIXTURE.campaigns.create(SENDER, other))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.code()).isEqualTo("campaign.id-reused"));
    FIXTURE.campaigns.create("service:other", other);
    assertThatThrownBy(() -> FIXTURE.campaigns.find("service:third", "reused"))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.kind()).isEqualTo(Failure.Kind.NOT_FOUND));
  }

  /// As with notifications: what is a set has no order.
  @Test
  void create_againInAnotherOrder_changesNothing() {
    CreateCampaignRequest request =
        request("sets", List.of("user:s1", "user:s2", "user:s1"))
            .addAllChannels(List.of("PUSH", "EMAIL"))
            .build();
    FIXTURE.campaigns.create(SENDER, request);
    Campaign finished = FIXTURE.awaitStatus("sets", Status.FINISHED);
    CreateCampaignRequest again =
        request("sets", List.of("user:s2", "user:s1"))
            .addAllChannels(List.of("EMAIL", "PUSH", "PUSH"))
            .build();
    assertThat(FIXTURE.campaigns.create(SENDER, again)).isEqualTo(finished);
    assertThat(FIXTURE.entries("sets")).isEqualTo(2);
  }

  @Test
  void create_badTimesAndAudience_isInvalidWithTheFields() {
    CreateCampaignRequest request =
        request("bad", List.of("user:1", "service:x"))
            .setSendAt(at(CLOCK.instant().plusSeconds(400L * 86_400)))
            .setExpiresAt(at(CLOCK.instant().minusSeconds(1)))
            .setSpreadOver(Duration.newBuilder().setSeconds(-1))
            .build();
    assertThatThrownBy(() -> FIXTURE.campaigns.create(SENDER, request))
        .isInstanceOfSatisfying(
            Failure.class,
            failure ->
                assertThat(failure.violations())
                    .extracting(Failure.Violation::field)
                    .containsExactly(
                        "sendAt", "expiresAt", "spreadOver", "audience.upload.recipients[1]"));
    assertThatThrownBy(() -> FIXTURE.find("bad")).isInstanceOf(Failure.class);
  }

  @Test
  void upload_cutAndRepeated_countsEachRecipientOnce() {
    FIXTURE.campaigns.create(SENDER, request("cut").build());
    List<String> users = users("cut", 12_000);
    InputStream cut =
        new SequenceInputStream(lines(users.subList(0, 7_000)), new FailingInputStream());
    assertThatThrownBy(() -> FIXTURE.wiring.uploads().upload(SENDER, "cut", cut))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.code()).isEqualTo("campaign.cut-off"));
    assertThat(FIXTURE.find("cut").getProgress().getAccepted()).isEqualTo(5_000);
    RecipientUploadResult repeated = FIXTURE.wiring.uploads().upload(SENDER, "cut", lines(users));
    assertThat(repeated.getAccepted()).isEqualTo(12_000);
    assertThat(repeated.getAdded()).isEqualTo(7_000);
    assertThat(repeated.getDuplicates()).isEqualTo(5_000);
    assertThat(FIXTURE.find("cut").getStatus()).isEqualTo(Status.UPLOADING);
    FIXTURE.campaigns.start(SENDER, "cut");
    Campaign finished = FIXTURE.awaitStatus("cut", Status.FINISHED);
    assertThat(finished.getProgress().getWritten()).isEqualTo(12_000);
    assertThat(FIXTURE.inexact("cut")).isZero();
    assertThatThrownBy(() -> FIXTURE.wiring.uploads().upload(SENDER, "cut", lines(users)))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.code()).isEqualTo("campaign.closed"));
  }

  @Test
  void upload_badLines_areCountedAndTheFirstReported() {
    FIXTURE.campaigns.create(SENDER, request("lines").build());
    String file =
        "\"user:lines-1\"\nnonsense\n{\"recipient\":\"user:lines-2\"}\n\"user:lines-1\"\n"
            + "x\n".repeat(200);
    RecipientUploadResult result =
        FIXTURE
            .wiring
            .uploads()
            .upload(
                SENDER, "lines", new ByteArrayInputStream(file.getBytes(StandardCharsets.UTF_8)));
    assertThat(result.getAccepted()).isEqualTo(2);
    assertThat(result.getDuplicates()).isEqualTo(1);
    assertThat(result.getRejected()).isEqualTo(201);
    assertThat(result.getErrorsCount()).isEqualTo(100);
    assertThat(result.getErrors(0).getLine()).isEqualTo(2);
  }

  @Test
  void upload_toACampaignThatNamedRecipients_isWrittenToo() {
    FIXTURE.campaigns.create(SENDER, request("more", users("more-a", 3)).build());
    FIXTURE.awaitStatus("more", Status.FINISHED);
    FIXTURE.wiring.uploads().upload(SENDER, "more", lines(users("more-b", 5)));
    FIXTURE.awaitWritten("more", 8);
    FIXTURE.campaigns.start(SENDER, "more");
    Campaign finished = FIXTURE.awaitStatus("more", Status.FINISHED);
    assertThat(finished.getProgress().getAccepted()).isEqualTo(8);
  }

  @Test
  void upload_whileTheCampaignFinishes_isWrittenToo() throws Exception {
    FIXTURE.campaigns.create(SENDER, request("finishing", users("finishing-a", 3)).build());
    Thread upload =
        FIXTURE.database.inTransaction(
            tx -> {
              assertThat(new CampaignStore().lock(tx, new CampaignKey(SENDER, "finishing")))
                  .map(StoredCampaign::state)
                  .contains(StoredCampaign.State.STARTED);
              FIXTURE.awaitWritten("finishing", 3);
              awaitBlocked();
              Thread uploading =
                  Thread.ofVirtual()
                      .start(
                          () ->
                              FIXTURE
                                  .wiring
                                  .uploads()
                                  .upload(SENDER, "finishing", lines(users("finishing-b", 2))));
              await()
                  .atMost(java.time.Duration.ofMinutes(1))
                  .until(() -> FIXTURE.find("finishing").getProgress().getAccepted() == 5);
              return uploading;
            });
    upload.join();
    FIXTURE.awaitWritten("finishing", 5);
    FIXTURE.awaitStatus("finishing", Status.FINISHED);
  }

  /// Waits until the campaign is being finished, which waits for its row.
  private static void awaitBlocked() {
    await()
        .atMost(java.time.Duration.ofMinutes(1))
        .until(
            () ->
                FIXTURE
                        .database
                        .read(
                            tx ->
                                tx.sql(
                                        """
                                        SELECT count(*) FROM pg_stat_activity
                                         WHERE datname = current_database()
                                           AND wait_event_type = 'Lock'
                                        """)
                                    .first(row -> row.longAt(1)))
                        .orElseThrow()
                    > 0);
  }

  @Test
  void pause_whileScheduled_holdsItUntilResumed() {
    CreateCampaignRequest request =
        request("paused", users("paused", 20))
            .setSendAt(at(CLOCK.instant().plusSeconds(600)))
            .build();
    assertThat(FIXTURE.campaigns.create(SENDER, request).getStatus()).isEqualTo(Status.SCHEDULED);
    assertThat(FIXTURE.campaigns.pause(SENDER, "paused").getStatus()).isEqualTo(Status.PAUSED);
    CLOCK.advance(java.time.Duration.ofSeconds(601));
    FIXTURE.campaigns.create(SENDER, request("after-pause", users("after-pause", 20)).build());
    FIXTURE.awaitStatus("after-pause", Status.FINISHED);
    assertThat(FIXTURE.entries("paused")).isZero();
    assertThat(FIXTURE.campaigns.resume(SENDER, "paused").getStatus()).isEqualTo(Status.RUNNING);
    FIXTURE.awaitStatus("paused", Status.FINISHED);
    assertThat(FIXTURE.entries("paused")).isEqualTo(20);
  }

  @Test
  void spread_overAnHour_writesWhatIsDue() {
    FIXTURE.campaigns.create(
        SENDER,
        request("spread", users("spread", 400))
            .setSpreadOver(Duration.newBuilder().setSeconds(3_600))
            .build());
    CLOCK.advance(java.time.Duration.ofMinutes(30));
    Campaign half = FIXTURE.awaitWritten("spread", 120);
    assertThat(half.getStatus()).isEqualTo(Status.RUNNING);
    assertThat(FIXTURE.entries("spread")).isBetween(120L, 280L);
    CLOCK.advance(java.time.Duration.ofMinutes(31));
    FIXTURE.awaitStatus("spread", Status.FINISHED);
    assertThat(FIXTURE.entries("spread")).isEqualTo(400);
  }

  @Test
  void respectTimezone_isWrittenAtTheSameLocalTime() {
    put("user:tz-tokyo", NotificationSettings.newBuilder().setTimezone("Asia/Tokyo").build());
    put(
        "user:tz-newyork",
        NotificationSettings.newBuilder().setTimezone("America/New_York").build());
    Instant sendAt = CLOCK.instant().plusSeconds(3_600);
    FIXTURE.campaigns.create(
        SENDER,
        request("tz", List.of("user:tz-tokyo", "user:tz-newyork", "user:tz-utc"))
            .setSendAt(at(sendAt))
            .setRespectTimezone(true)
            .build());
    advanceTo(sendAt.plusSeconds(60));
    FIXTURE.awaitWritten("tz", 1);
    assertThat(FIXTURE.recipientsOf("tz")).containsExactly("user:tz-utc");
    advanceTo(sendAt.plusSeconds(4 * 3_600 + 60));
    FIXTURE.awaitWritten("tz", 2);
    assertThat(FIXTURE.recipientsOf("tz"))
        .containsExactlyInAnyOrder("user:tz-utc", "user:tz-newyork");
    advanceTo(sendAt.plusSeconds(15 * 3_600 + 60));
    FIXTURE.awaitStatus("tz", Status.FINISHED);
    assertThat(FIXTURE.recipientsOf("tz")).hasSize(3);
  }

  @Test
  void cancel_beforeItsTime_writesNothingAndRemovesTheRecipients() {
    FIXTURE.campaigns.create(
        SENDER,
        request("cancelled", users("cancelled", 50))
            .setSendAt(at(CLOCK.instant().plusSeconds(86_400)))
            .build());
    assertThat(FIXTURE.campaigns.cancel(SENDER, "cancelled").getStatus())
        .isEqualTo(Status.CANCELLED);
    await().atMost(java.time.Duration.ofMinutes(1)).until(() -> waiting("cancelled") == 0);
    assertThat(FIXTURE.entries("cancelled")).isZero();
    assertThat(FIXTURE.find("cancelled").getStatus()).isEqualTo(Status.CANCELLED);
  }

  @Test
  void expired_isSuppressedWithThatReason() {
    FIXTURE.campaigns.create(
        SENDER,
        request("expired", users("expired", 30))
            .setSpreadOver(Duration.newBuilder().setSeconds(86_400))
            .setExpiresAt(at(CLOCK.instant().plusSeconds(3_600)))
            .build());
    CLOCK.advance(java.time.Duration.ofSeconds(3_600));
    Campaign finished = FIXTURE.awaitStatus("expired", Status.FINISHED);
    assertThat(
            finished.getProgress().getWritten()
                + finished.getProgress().getSuppressedOrDefault("EXPIRED", 0))
        .isEqualTo(30);
    assertThat(finished.getProgress().getSuppressedOrDefault("EXPIRED", 0)).isPositive();
  }

  @Test
  void identityMerged_loginReceivesIt() {
    StoredBell bell = new StoredBell(CLOCK, new BellChanges(List.of()), new SimpleMeterRegistry());
    PagedBellMerge merge = new PagedBellMerge(FIXTURE.database, bell, CLOCK);
    assertThat(merge.page("anon:merged", "user:merged", 10, _ -> Set.of())).isFalse();
    FIXTURE.campaigns.create(SENDER, request("merged", List.of("anon:merged")).build());
    FIXTURE.awaitWritten("merged", 1);
    FIXTURE.awaitStatus("merged", Status.FINISHED);
    assertThat(FIXTURE.recipientsOf("merged")).containsExactly("user:merged");
  }

  @Test
  void template_isWrittenInTheLanguageOfEach() {
    put("user:language-ru", NotificationSettings.newBuilder().setLanguage("ru").build());
    FIXTURE.campaigns.create(
        SENDER,
        request("language", List.of("user:language-ru", "user:language-en"))
            .clearContent()
            .setTemplate(TemplateUse.newBuilder().setId("t"))
            .build());
    FIXTURE.awaitStatus("language", Status.FINISHED);
    assertThat(titles("language"))
        .isEqualTo(Map.of("user:language-ru", "Привет", "user:language-en", "Hello"));
  }

  @Test
  void start_duringUploads_writesExactlyWhatWasAccepted() throws Exception {
    FIXTURE.campaigns.create(SENDER, request("racing").build());
    List<Thread> uploads = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      List<String> users = users("racing-" + i, 30_000);
      uploads.add(Thread.ofVirtual().start(() -> uploadUntilClosed("racing", users)));
    }
    await()
        .atMost(java.time.Duration.ofMinutes(1))
        .until(() -> FIXTURE.find("racing").getProgress().getAccepted() > 0);
    FIXTURE.campaigns.start(SENDER, "racing");
    for (Thread upload : uploads) {
      upload.join();
    }
    Campaign finished = FIXTURE.awaitStatus("racing", Status.FINISHED);
    assertThat(finished.getProgress().getWritten()).isEqualTo(finished.getProgress().getAccepted());
    assertThat(FIXTURE.entries("racing")).isEqualTo(finished.getProgress().getAccepted());
    assertThat(waiting("racing")).isZero();
  }

  private static void uploadUntilClosed(String campaign, List<String> users) {
    try {
      FIXTURE.wiring.uploads().upload(SENDER, campaign, lines(users));
    } catch (Failure e) {
      assertThat(e.code()).isEqualTo("campaign.closed");
    }
  }

  @Test
  void write_individualNotificationsBehind_waits() {
    FIXTURE.allowsBulk.set(false);
    try {
      FIXTURE.campaigns.create(SENDER, request("bulk", users("bulk", 10)).build());
      await()
          .during(java.time.Duration.ofSeconds(2))
          .atMost(java.time.Duration.ofSeconds(20))
          .until(() -> FIXTURE.entries("bulk") == 0);
    } finally {
      FIXTURE.allowsBulk.set(true);
    }
    FIXTURE.awaitStatus("bulk", Status.FINISHED);
    assertThat(FIXTURE.entries("bulk")).isEqualTo(10);
  }

  @Test
  void criterion_findsEachSellerOnce() {
    FIXTURE.campaigns.create(SENDER, criterion("sellers").build());
    Campaign finished = FIXTURE.awaitStatus("sellers", Status.FINISHED);
    assertThat(finished.getProgress().getAccepted()).isEqualTo(SELLERS.size());
    assertThat(FIXTURE.recipientsOf("sellers")).containsExactlyInAnyOrderElementsOf(SELLERS);
  }

  private static Map<String, String> titles(String campaign) {
    Map<String, String> titles = new java.util.HashMap<>();
    FIXTURE.database.read(
        tx -> {
          tx.sql("SELECT owner, body FROM notification WHERE key = ?")
              .set(CampaignMessage.entryKey(new CampaignKey(SENDER, campaign)))
              .each(row -> titles.put(row.textAt(1), title(row.bytesAt(2))));
          return titles;
        });
    return titles;
  }

  private static String title(byte[] body) {
    return dev.torg.platform.db.StoredProto.parse(
            dev.torg.api.v1.Notification.parser(), body, "notification")
        .getTitle();
  }

  private static long waiting(String campaign) {
    return FIXTURE
        .database
        .read(
            tx ->
                tx.sql("SELECT count(*) FROM campaign_recipient WHERE campaign = ?")
                    .set(new CampaignKey(SENDER, campaign).text())
                    .first(row -> row.longAt(1)))
        .orElse(0L);
  }

  private static void put(String user, NotificationSettings settings) {
    FIXTURE.database.transact(tx -> new SettingsStore().put(tx, user, settings));
  }

  private static void advanceTo(Instant time) {
    CLOCK.advance(java.time.Duration.between(CLOCK.instant(), time));
  }

  private static Timestamp at(Instant time) {
    return EpochMicros.timestamp(time);
  }

  private static final class FailingInputStream extends InputStream {
    @Override
    public int read() throws IOException {
      throw new IOException("cut off");
    }
  }
}
