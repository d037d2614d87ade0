package dev.torg.notifications;

import static dev.torg.notifications.BellFixture.recipient;
import static dev.torg.notifications.DevicesFixture.anonymous;
import static dev.torg.notifications.contacts.ContactKind.EMAIL;
import static dev.torg.notifications.contacts.ContactKind.PHONE;
import static dev.torg.notifications.contacts.ContactKind.WEBHOOK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.contacts.ContactService.ContactView;
import dev.torg.notifications.contacts.PurgeCodeQuotasJob;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ContactsIT {
  @RegisterExtension static final TestDatabase TABLES = BellFixture.tables();

  private static final DevicesFixture FIXTURE = new DevicesFixture(TABLES);
  private static final AtomicInteger ADDRESSES = new AtomicInteger();

  private final String owner = recipient();
  private final String address = address();

  @AfterAll
  static void close() {
    FIXTURE.close();
  }

  @BeforeEach
  void resetSenders() {
    List.of(FIXTURE.mail, FIXTURE.sms, FIXTURE.webhook)
        .forEach(
            sender -> {
              sender.isConfigured = true;
              sender.outcome = _ -> DeliveryOutcome.delivered();
            });
  }

  @Test
  void put_mail_isVerifiedByTheCodeThatWasSent() {
    ContactView put = FIXTURE.contacts.put(owner, EMAIL, address);
    assertThat(put).isEqualTo(new ContactView(EMAIL, address, false, ""));
    assertThat(FIXTURE.mail.sent.getLast().target()).isEqualTo(new DeliveryTarget.Email(address));
    assertThat(FIXTURE.targets.find(owner, Channel.EMAIL)).isEmpty();
    ContactView verified = FIXTURE.contacts.verify(owner, EMAIL, FIXTURE.mail.lastCode());
    assertThat(verified).isEqualTo(new ContactView(EMAIL, address, true, ""));
    assertThat(FIXTURE.contacts.list(owner)).containsExactly(verified);
    assertThat(FIXTURE.targets.find(owner, Channel.EMAIL))
        .containsExactly(new DeliveryTarget.Email(address));
    assertThat(FIXTURE.targets.find(owner, Channel.SMS)).isEmpty();
  }

  @Test
  void put_phone_isVerifiedByAnSms() {
    String number = "+49151" + (1_000_000 + ADDRESSES.incrementAndGet());
    var _ = FIXTURE.contacts.put(owner, PHONE, number);
    var _ = FIXTURE.contacts.verify(owner, PHONE, " " + FIXTURE.sms.lastCode() + "\n");
    assertThat(FIXTURE.targets.find(owner, Channel.SMS))
        .containsExactly(new DeliveryTarget.Phone(number));
  }

  /// The database contains nothing from which six digits could be guessed.
  @Test
  void put_mail_storesNoCode() {
    var _ = FIXTURE.contacts.put(owner, EMAIL, address);
    assertThat(stored("code_hash")).doesNotContain(FIXTURE.mail.lastCode()).hasSize(31);
  }

  @Test
  void put_anotherAddress_keepsTheVerifiedOneUntilItIsVerified() {
    FIXTURE.verifyMail(owner, address);
    String other = address();
    var _ = FIXTURE.contacts.put(owner, EMAIL, other);
    assertThat(FIXTURE.targets.find(owner, Channel.EMAIL))
        .containsExactly(new DeliveryTarget.Email(address));
    assertThat(FIXTURE.contacts.list(owner))
        .extracting(ContactView::address, ContactView::verified)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(address, true),
            org.assertj.core.groups.Tuple.tuple(other, false));
    var _ = FIXTURE.contacts.verify(owner, EMAIL, FIXTURE.mail.lastCode());
    assertThat(FIXTURE.targets.find(owner, Channel.EMAIL))
        .containsExactly(new DeliveryTarget.Email(other));
  }

  @Test
  void put_verifiedAddressAgain_sendsNothingAndDropsTheOtherOne() {
    FIXTURE.verifyMail(owner, address);
    var _ = FIXTURE.contacts.put(owner, EMAIL, address());
    int sent = FIXTURE.mail.sent.size();
    assertThat(FIXTURE.contacts.put(owner, EMAIL, address).verified()).isTrue();
    assertThat(FIXTURE.mail.sent).hasSize(sent);
    assertThat(FIXTURE.contacts.list(owner)).hasSize(1);
  }

  @Test
  void put_channelNotConfigured_isRefusedAndNothingIsStored() {
    FIXTURE.sms.isConfigured = false;
    fails("contact.channel-off", () -> FIXTURE.contacts.put(owner, PHONE, "+4915112345678"));
    assertThat(FIXTURE.contacts.list(owner)).isEmpty();
  }

  @Test
  void put_providerFails_isReported() {
    FIXTURE.mail.outcome = _ -> DeliveryOutcome.refused("connection-refused");
    fails("contact.code-not-sent", () -> FIXTURE.contacts.put(owner, EMAIL, address));
    FIXTURE.mail.outcome = _ -> DeliveryOutcome.rejected("smtp-550");
    fails("contact.refused", () -> FIXTURE.contacts.put(owner, EMAIL, address));
    FIXTURE.mail.outcome = _ -> DeliveryOutcome.unknown("timeout");
    assertThat(FIXTURE.contacts.put(owner, EMAIL, address).verified()).isFalse();
    assertThat(FIXTURE.contacts.verify(owner, EMAIL, FIXTURE.mail.lastCode()).verified()).isTrue();
  }

  @Test
  void verify_afterAQuarterOfAnHour_isExpired() {
    var _ = FIXTURE.contacts.put(owner, EMAIL, address);
    String code = FIXTURE.mail.lastCode();
    FIXTURE.advance(Duration.ofMinutes(15));
    fails("contact.code-expired", () -> FIXTURE.contacts.verify(owner, EMAIL, code));
    assertThat(FIXTURE.targets.find(owner, Channel.EMAIL)).isEmpty();
  }

  @Test
  void verify_fiveWrongCodes_needsANewOne() {
    var _ = FIXTURE.contacts.put(owner, EMAIL, address);
    String code = FIXTURE.mail.lastCode();
    for (int i = 0; i < 5; i++) {
      fails("contact.code-wrong", () -> FIXTURE.contacts.verify(owner, EMAIL, other(code)));
    }
    fails("contact.code-spent", () -> FIXTURE.contacts.verify(owner, EMAIL, code));
    var _ = FIXTURE.contacts.put(owner, EMAIL, address);
    String next = FIXTURE.mail.lastCode();
    assertThat(FIXTURE.contacts.verify(owner, EMAIL, next).verified()).isTrue();
  }

  @Test
  void verify_manyGuessesAtOnce_countsEachOne() throws Exception {
    var _ = FIXTURE.contacts.put(owner, EMAIL, address);
    String code = FIXTURE.mail.lastCode();
    List<String> codes = Collections.synchronizedList(new ArrayList<>());
    Runnable guess =
        () -> {
          try {
            var _ = FIXTURE.contacts.verify(owner, EMAIL, other(code));
          } catch (Failure failure) {
            codes.add(failure.code());
          }
        };
    DevicesIT.inParallel(Collections.nCopies(12, guess));
    assertThat(Collections.frequency(codes, "contact.code-wrong")).isEqualTo(5);
    assertThat(Collections.frequency(codes, "contact.code-spent")).isEqualTo(7);
  }

  @Test
  void verify_codeOfAnotherKindPersonOrFormerAddress_isWrong() {
    var _ = FIXTURE.contacts.put(owner, EMAIL, address);
    String former = FIXTURE.mail.lastCode();
    var _ = FIXTURE.contacts.put(owner, EMAIL, address());
    String stranger = recipient();
    var _ = FIXTURE.contacts.put(stranger, EMAIL, address());
    String ofStranger = FIXTURE.mail.lastCode();
    if (!former.equals(ofStranger)) {
      fails("contact.code-wrong", () -> FIXTURE.contacts.verify(stranger, EMAIL, former));
    }
    fails("contact.nothing-to-verify", () -> FIXTURE.contacts.verify(owner, PHONE, former));
    fails("contact.code-wrong", () -> FIXTURE.contacts.verify(owner, EMAIL, ""));
    fails("contact.code-wrong", () -> FIXTURE.contacts.verify(owner, EMAIL, "\u0661\u0662"));
  }

  @Test
  void verify_twiceAtOnce_bothSucceed() throws Exception {
    var _ = FIXTURE.contacts.put(owner, EMAIL, address);
    String code = FIXTURE.mail.lastCode();
    AtomicInteger verified = new AtomicInteger();
    Runnable verify =
        () -> {
          if (FIXTURE.contacts.verify(owner, EMAIL, code).verified()) {
            var _ = verified.incrementAndGet();
          }
        };
    DevicesIT.inParallel(List.of(verify, verify, verify));
    assertThat(verified).hasValue(3);
    assertThat(FIXTURE.contacts.list(owner)).hasSize(1);
  }

  /// Whichever comes first, an address is verified only by its own code.
  @Test
  void verify_whileAnotherAddressIsSet_neverVerifiesTheOtherOne() throws Exception {
    for (int round = 0; round < 5; round++) {
      String person = recipient();
      String first = address();
      String second = address();
      var _ = FIXTURE.contacts.put(person, EMAIL, first);
      String code = FIXTURE.mail.lastCode();
      Runnable verify =
          () -> {
            try {
              var _ = FIXTURE.contacts.verify(person, EMAIL, code);
            } catch (Failure failure) {
              assertThat(failure.code()).isEqualTo("contact.code-wrong");
            }
          };
      DevicesIT.inParallel(List.of(verify, () -> FIXTURE.contacts.put(person, EMAIL, second)));
      assertThat(FIXTURE.targets.find(person, Channel.EMAIL))
          .isSubsetOf(new DeliveryTarget.Email(first));
      assertThat(FIXTURE.contacts.list(person)).contains(new ContactView(EMAIL, second, false, ""));
    }
  }

  @Test
  void put_moreThanFiveInAnHour_areRefusedForThePerson() {
    for (int i = 0; i < 5; i++) {
      var _ = FIXTURE.contacts.put(owner, EMAIL, address());
    }
    int sent = FIXTURE.mail.sent.size();
    fails("contact.codes-exceeded", () -> FIXTURE.contacts.put(owner, EMAIL, address()));
    assertThat(FIXTURE.mail.sent).hasSize(sent);
    FIXTURE.advance(Duration.ofHours(1));
    assertThat(FIXTURE.contacts.put(owner, EMAIL, address()).verified()).isFalse();
  }

  @Test
  void put_sameAddressByManyPersons_isRefusedForTheAddress() {
    for (int i = 0; i < 5; i++) {
      var _ = FIXTURE.contacts.put(anonymous(), EMAIL, address);
    }
    fails("contact.codes-exceeded", () -> FIXTURE.contacts.put(anonymous(), EMAIL, address));
    FIXTURE.advance(Duration.ofHours(2));
    for (int i = 0; i < 5; i++) {
      var _ = FIXTURE.contacts.put(anonymous(), EMAIL, address);
    }
    FIXTURE.advance(Duration.ofHours(2));
    fails("contact.codes-exceeded", () -> FIXTURE.contacts.put(anonymous(), EMAIL, address));
  }

  @Test
  void purge_codesOfADayAgo_areForgottenAndNotBefore() {
    var _ = FIXTURE.contacts.put(owner, EMAIL, address());
    Home home = Home.of(owner);
    PurgeCodeQuotasJob job = new PurgeCodeQuotasJob(FIXTURE.database);
    try (TestLeases leases = new TestLeases(FIXTURE.database, "test.quotas")) {
      Instant justBefore = FIXTURE.now().plus(Duration.ofDays(1)).minusMillis(1);
      assertThat(job.run(leases.of(home), justBefore)).isFalse();
      assertThat(quotasOf(owner)).isEqualTo(1);
      Instant now = FIXTURE.now().plus(Duration.ofDays(1));
      assertThat(job.due(List.of(home), now)).containsExactly(home);
      assertThat(job.run(leases.of(home), now)).isFalse();
    }
    assertThat(quotasOf(owner)).isZero();
  }

  private static int quotasOf(String subject) {
    return FIXTURE.database.read(
        tx ->
            tx.sql("SELECT count(*) FROM code_quota WHERE home = ? AND subject = ?")
                .set(Home.of(subject))
                .set(subject)
                .first(row -> row.intAt(1))
                .orElseThrow());
  }

  @Test
  void put_webhookThatResponds_isVerifiedAndItsSecretReturnedOnce() {
    String url = url();
    ContactView put = FIXTURE.contacts.put(owner, WEBHOOK, url);
    assertThat(put.verified()).isTrue();
    assertThat(put.secret()).matches("whsec_[A-Za-z0-9+/]{43}=");
    assertThat(FIXTURE.webhook.sent.getLast().target())
        .isEqualTo(new DeliveryTarget.Webhook(url, put.secret()));
    assertThat(FIXTURE.webhook.sent.getLast().notificationId()).doesNotContain(".");
    assertThat(FIXTURE.contacts.list(owner))
        .containsExactly(new ContactView(WEBHOOK, url, true, ""));
    assertThat(FIXTURE.targets.find(owner, Channel.WEBHOOK))
        .containsExactly(new DeliveryTarget.Webhook(url, put.secret()));
  }

  @Test
  void verify_webhookThatRefusedTheFirstCall_isCalledAgainWithTheSameSecret() {
    FIXTURE.webhook.outcome = _ -> DeliveryOutcome.rejected("http-401");
    String url = url();
    ContactView put = FIXTURE.contacts.put(owner, WEBHOOK, url);
    assertThat(put.verified()).isFalse();
    fails("contact.webhook-failed", () -> FIXTURE.contacts.verify(owner, WEBHOOK, ""));
    assertThat(FIXTURE.targets.find(owner, Channel.WEBHOOK)).isEmpty();
    FIXTURE.webhook.outcome = _ -> DeliveryOutcome.delivered();
    assertThat(FIXTURE.contacts.verify(owner, WEBHOOK, "").verified()).isTrue();
    assertThat(FIXTURE.targets.find(owner, Channel.WEBHOOK))
        .containsExactly(new DeliveryTarget.Webhook(url, put.secret()));
  }

  /// The secret of the address that was called is not taken for another address.
  @Test
  void verify_webhookReplacedDuringTheCall_isNotVerified() {
    FIXTURE.webhook.outcome = _ -> DeliveryOutcome.rejected("http-401");
    var _ = FIXTURE.contacts.put(owner, WEBHOOK, url());
    String other = url();
    FIXTURE.webhook.outcome =
        _ -> {
          FIXTURE.webhook.outcome = _ -> DeliveryOutcome.rejected("http-401");
          var _ = FIXTURE.contacts.put(owner, WEBHOOK, other);
          return DeliveryOutcome.delivered();
        };
    fails("contact.changed", () -> FIXTURE.contacts.verify(owner, WEBHOOK, ""));
    assertThat(FIXTURE.contacts.list(owner))
        .containsExactly(new ContactView(WEBHOOK, other, false, ""));
  }

  @Test
  void put_privateWebhook_isRefusedAndNotCalled() {
    int sent = FIXTURE.webhook.sent.size();
    fails(
        "contact.address", () -> FIXTURE.contacts.put(owner, WEBHOOK, "https://printer.internal/"));
    assertThat(FIXTURE.webhook.sent).hasSize(sent);
    assertThat(FIXTURE.contacts.list(owner)).isEmpty();
  }

  @Test
  void delete_oneAddressOrAll_removesThem() {
    FIXTURE.verifyMail(owner, address);
    String other = address();
    var _ = FIXTURE.contacts.put(owner, EMAIL, other);
    FIXTURE.contacts.delete(owner, EMAIL, other);
    assertThat(FIXTURE.contacts.list(owner))
        .containsExactly(new ContactView(EMAIL, address, true, ""));
    FIXTURE.contacts.delete(owner, PHONE, "");
    FIXTURE.contacts.delete(owner, EMAIL, "");
    assertThat(FIXTURE.contacts.list(owner)).isEmpty();
    assertThat(FIXTURE.targets.find(owner, Channel.EMAIL)).isEmpty();
  }

  @Test
  void remove_goneAddress_keepsAnotherOne() {
    FIXTURE.verifyMail(owner, address);
    FIXTURE.targets.remove(owner, new DeliveryTarget.Email(address()));
    assertThat(FIXTURE.targets.find(owner, Channel.EMAIL)).hasSize(1);
    FIXTURE.targets.remove(owner, new DeliveryTarget.Email(address));
    assertThat(FIXTURE.targets.find(owner, Channel.EMAIL)).isEmpty();
  }

  @Test
  void merge_contacts_belongToTheLoginWhoseOwnWin() {
    String anonymous = anonymous();
    FIXTURE.verifyMail(anonymous, address);
    var _ = FIXTURE.contacts.put(anonymous, PHONE, "+4915119990001");
    String code = FIXTURE.sms.lastCode();
    String other = anonymous();
    FIXTURE.verifyMail(other, address());
    assertThat(FIXTURE.merge.page(anonymous, owner)).isFalse();
    assertThat(FIXTURE.targets.find(anonymous, Channel.EMAIL)).isEmpty();
    assertThat(FIXTURE.contacts.list(anonymous)).isEmpty();
    assertThat(FIXTURE.contacts.verify(owner, PHONE, code).verified()).isTrue();
    assertThat(FIXTURE.merge.page(other, owner)).isFalse();
    assertThat(FIXTURE.targets.find(owner, Channel.EMAIL))
        .containsExactly(new DeliveryTarget.Email(address));
    fails("identity.moved", () -> FIXTURE.contacts.put(anonymous, EMAIL, address()));
    fails("identity.moved", () -> FIXTURE.contacts.verify(anonymous, EMAIL, "123456"));
    fails("identity.moved", () -> FIXTURE.contacts.delete(anonymous, EMAIL, ""));
  }

  /// The process ended after the copy; the login removed the address; then the step is repeated.
  @Test
  void merge_repeatedAfterTheLoginRemovedTheContact_doesNotReturnIt() {
    String anonymous = anonymous();
    FIXTURE.verifyMail(anonymous, address);
    FIXTURE.database.transact(
        tx ->
            tx.sql("INSERT INTO contact_move (home, owner, anonymous) VALUES (?, ?, ?)")
                .set(Home.of(owner))
                .set(owner)
                .set(anonymous)
                .update());
    assertThat(FIXTURE.merge.page(anonymous, owner)).isFalse();
    assertThat(FIXTURE.contacts.list(owner)).isEmpty();
    assertThat(FIXTURE.contacts.list(anonymous)).isEmpty();
  }

  private String stored(String column) {
    return FIXTURE
        .database
        .read(
            tx ->
                tx.sql("SELECT " + column + " FROM contact WHERE home = ? AND owner = ?")
                    .set(Home.of(owner))
                    .set(owner)
                    .first(row -> row.textAt(1)))
        .orElseThrow();
  }

  private static void fails(String code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.code()).isEqualTo(code));
  }

  private static String other(String code) {
    return code.equals("000000") ? "000001" : "000000";
  }

  private static String address() {
    return "person" + ADDRESSES.incrementAndGet() + "@mail.example";
  }

  private static String url() {
    return "https://hooks" + ADDRESSES.incrementAndGet() + ".example/torg";
  }
}
