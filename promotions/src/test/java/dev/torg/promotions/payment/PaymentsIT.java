package dev.torg.promotions.payment;

import static dev.torg.promotions.payment.PaymentsFixture.DAY;
import static dev.torg.promotions.payment.PaymentsFixture.line;
import static dev.torg.promotions.payment.PaymentsFixture.promotion;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.OfferEvent;
import dev.torg.platform.Caller;
import dev.torg.platform.Caller.Role;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.Money;
import dev.torg.platform.OfferId;
import dev.torg.promotions.CreatedPayment;
import dev.torg.promotions.NewPayment;
import dev.torg.promotions.PaymentHandler.Delivery;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.PaymentLine;
import dev.torg.promotions.PaymentOutcome;
import dev.torg.promotions.PaymentStatus;
import dev.torg.promotions.PaymentUse;
import dev.torg.promotions.RefundReasons;
import dev.torg.promotions.StoredPayment;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PaymentsIT {
  @RegisterExtension static final TestDatabase TABLES = PaymentsFixture.tables();
  private static final Caller ADMIN = new Caller("user:admin", Set.of(Role.ADMIN));

  private final PaymentsFixture torg = new PaymentsFixture(TABLES.url());
  private final String seller = PaymentsFixture.seller();
  private final OfferId offer = torg.offer(seller);

  @AfterEach
  void close() {
    torg.close();
  }

  private CreatedPayment purchase(String key, PaymentLine... lines) {
    return torg.purchase(seller, offer, key, lines);
  }

  private void pay(PaymentId id) {
    torg.webhook(torg.provider.pay(id, "evt-" + id));
  }

  private void refundDue(PaymentId id) {
    var _ = torg.checkPayments.run(torg.lease(id.home()), torg.clock.instant());
  }

  @Test
  void payment_fromPurchaseToActiveService() {
    CreatedPayment payment = purchase("k", line("raise", 300), line("premium", 500));
    assertThat(payment.total()).isEqualTo(new Money(800, "EUR"));
    assertThat(torg.payment(payment.id()).status()).isEqualTo(PaymentStatus.PENDING);
    pay(payment.id());
    torg.awaitStatus(payment.id(), PaymentStatus.APPLIED);
    assertThat(torg.active(offer)).containsExactly("premium", "raise");
    assertThat(torg.events(offer)).hasSize(1);
    assertThat(torg.events(offer).getFirst().getServicesCount()).isEqualTo(2);
    assertThat(torg.events(offer).getFirst().hasRaisedAt()).isTrue();
    assertThat(torg.bell(seller)).containsExactly("payment:" + payment.id() + ":PAYMENT_APPLIED");
    assertThat(torg.audit(payment.id()))
        .containsExactly("1 PENDING PENDING", "2 PENDING PAID", "3 PAID APPLIED");
  }

  @Test
  void purchase_repeatedWithTheSameKey_isTheSamePayment_andWithAnotherRequestAConflict() {
    CreatedPayment first = purchase("k", line("raise", 300));
    assertThat(purchase("k", line("raise", 300))).isEqualTo(first);
    NewPayment other =
        new NewPayment(
            seller, "PROMOTION", offer.toString(), "k", "another", "x", List.of(line("raise", 1)));
    assertThatThrownBy(() -> torg.payments.create(other))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.code()).isEqualTo("idempotency-key.reused"));
    assertThat(purchase("k2", line("raise", 300)).id()).isNotEqualTo(first.id());
  }

  @Test
  void purchase_whileTheProviderIsUnavailable_continuesWithTheSameKey() {
    torg.provider.setAvailable(false);
    assertThatThrownBy(() -> purchase("k", line("raise", 300))).isInstanceOf(Failure.class);
    PaymentId id = promotion(seller, offer, "k", line("raise", 300)).id();
    assertThat(torg.payment(id).url()).isEmpty();
    torg.provider.setAvailable(true);
    assertThat(purchase("k", line("raise", 300)).id()).isEqualTo(id);
    assertThat(torg.payment(id).url()).isPresent();
  }

  @Test
  void tenThousandWebhooks_repeatedAndReordered_from8Threads_applyEachPaymentOnce()
      throws Exception {
    Map<PaymentId, OfferId> sold = new HashMap<>();
    List<ByteString> calls = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      String one = PaymentsFixture.seller();
      OfferId id = torg.offer(one);
      CreatedPayment payment = torg.purchase(one, id, "k", line("raise", 100 + i));
      sold.put(payment.id(), id);
      ByteString paid = torg.provider.pay(payment.id(), "paid-" + payment.id());
      ByteString declined =
          ScriptedProvider.webhook(
              "declined-" + payment.id(), "DECLINED", payment.id(), payment.total());
      ByteString again =
          ScriptedProvider.webhook("again-" + payment.id(), "PAID", payment.id(), payment.total());
      calls.addAll(Collections.nCopies(10, paid));
      calls.addAll(Collections.nCopies(5, declined));
      calls.addAll(Collections.nCopies(5, again));
    }
    assertThat(calls).hasSize(10_000);
    Collections.shuffle(calls, new Random(7));
    callFrom8Threads(calls);
    sold.keySet().forEach(id -> torg.awaitStatus(id, PaymentStatus.APPLIED));
    sold.forEach(
        (id, promoted) -> {
          assertThat(torg.active(promoted)).containsExactly("raise");
          assertThat(torg.events(promoted)).hasSize(1);
          assertThat(torg.payment(id).refundDue() + torg.payment(id).refunded()).isZero();
          assertThat(torg.audit(id).stream().filter(change -> change.endsWith("PAID APPLIED")))
              .hasSize(1);
        });
    assertThat(torg.counter("torg.promotions.webhooks", "received")).isEqualTo(1_500);
    assertThat(torg.counter("torg.promotions.webhooks", "repeated")).isEqualTo(8_500);
  }

  private void callFrom8Threads(List<ByteString> calls) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<?>> futures = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        int first = thread;
        futures.add(
            threads.submit(
                () -> {
                  for (int i = first; i < calls.size(); i += 8) {
                    torg.webhook(calls.get(i));
                  }
                }));
      }
      for (Future<?> future : futures) {
        var _ = future.get();
      }
    }
  }

  @Test
  void twoPaymentsForOneService_oneIsApplied_andOneRefunded() throws Exception {
    for (int round = 0; round < 20; round++) {
      OfferId id = torg.offer(seller);
      CreatedPayment one = torg.purchase(seller, id, "one" + round, line("premium", 500));
      CreatedPayment two = torg.purchase(seller, id, "two" + round, line("premium", 500));
      ByteString first = torg.provider.pay(one.id(), "a" + round);
      ByteString second = torg.provider.pay(two.id(), "b" + round);
      race(
          () -> torg.processor.process(List.of(report(first))),
          () -> torg.processor.process(List.of(report(second))));
      assertThat(List.of(torg.payment(one.id()).status(), torg.payment(two.id()).status()))
          .containsExactlyInAnyOrder(PaymentStatus.APPLIED, PaymentStatus.REFUND_DUE);
      PaymentId refunded =
          torg.payment(one.id()).status() == PaymentStatus.REFUND_DUE ? one.id() : two.id();
      refundDue(refunded);
      StoredPayment payment = torg.payment(refunded);
      assertThat(payment.status()).isEqualTo(PaymentStatus.REFUNDED);
      assertThat(payment.reason()).contains(RefundReasons.ALREADY_ACTIVE);
      assertThat(torg.provider.refunded(refunded)).isEqualTo(500);
      assertThat(torg.bell(seller)).contains("payment:" + refunded + ":PAYMENT_REFUNDED");
      assertThat(torg.active(id)).containsExactly("premium");
    }
  }

  private PaymentReport report(ByteString body) {
    var event = torg.provider.read(body);
    return ReceivedWebhook.of("scripted", event, body, torg.clock.instant())
        .report(event)
        .orElseThrow();
  }

  private static void race(Runnable one, Runnable two) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Future<?> first = threads.submit(one);
      Future<?> second = threads.submit(two);
      var _ = first.get();
      var _ = second.get();
    }
  }

  @Test
  void purchaseOfTwoServices_oneOfThemActiveMeanwhile_isAppliedInPart() {
    CreatedPayment both = purchase("both", line("raise", 300), line("premium", 500));
    CreatedPayment single = purchase("single", line("premium", 500));
    pay(single.id());
    torg.awaitStatus(single.id(), PaymentStatus.APPLIED);
    pay(both.id());
    torg.awaitStatus(both.id(), PaymentStatus.APPLIED);
    assertThat(torg.payment(both.id()).refundDue()).isEqualTo(500);
    assertThat(torg.active(offer)).containsExactly("premium", "raise");
    refundDue(both.id());
    assertThat(torg.payment(both.id()).refunded()).isEqualTo(500);
    assertThat(torg.payment(both.id()).status()).isEqualTo(PaymentStatus.APPLIED);
    assertThat(torg.bell(seller)).contains("payment:" + both.id() + ":PAYMENT_PARTLY_REFUNDED");
  }

  @Test
  void offerThatWasSoldMeanwhile_isNotPromoted_andTheMoneyReturned() {
    CreatedPayment payment = purchase("k", line("raise", 300));
    var _ = torg.change(offer, Status.SOLD);
    pay(payment.id());
    torg.awaitStatus(payment.id(), PaymentStatus.REFUND_DUE);
    assertThat(torg.payment(payment.id()).reason()).contains(RefundReasons.OFFER_SOLD);
    assertThat(torg.active(offer)).isEmpty();
    assertThat(torg.events(offer)).isEmpty();
  }

  @Test
  void banBetweenReadAndCommit_refundsThePayment() {
    CreatedPayment created = purchase("k", line("raise", 300));
    StoredPayment payment = torg.payment(created.id());
    Delivery delivery = torg.handler.prepare(List.of(payment));
    torg.consume(torg.change(offer, Status.BANNED));
    assertThat(deliver(delivery, payment))
        .isEqualTo(new PaymentOutcome.NotDelivered(RefundReasons.OFFER_BANNED));
    assertThat(torg.active(offer)).isEmpty();
  }

  @Test
  void banBetweenReadAndCommit_whoseEventComesAfterwards_endsWhatWasApplied() {
    CreatedPayment created = purchase("k", line("raise", 300));
    StoredPayment payment = torg.payment(created.id());
    Delivery delivery = torg.handler.prepare(List.of(payment));
    OfferEvent ban = torg.change(offer, Status.BANNED);
    assertThat(deliver(delivery, payment)).isEqualTo(new PaymentOutcome.Delivered());
    assertThat(torg.active(offer)).containsExactly("raise");
    torg.consume(ban);
    assertThat(torg.active(offer)).isEmpty();
    assertThat(torg.events(offer)).hasSize(2);
    assertThat(torg.events(offer).getLast().getServicesList()).isEmpty();
  }

  private PaymentOutcome deliver(Delivery delivery, StoredPayment payment) {
    return torg.database
        .inTransaction(tx -> delivery.deliver(tx, List.of(payment), torg.clock.instant()))
        .getOrDefault(payment.id(), new PaymentOutcome.Kept());
  }

  @Test
  void oldBan_thatTheConsumerReachesAfterAnUnban_doesNotEndThePromotion() {
    OfferEvent ban = torg.change(offer, Status.BANNED);
    OfferEvent unban = torg.change(offer, Status.ACTIVE);
    CreatedPayment payment = purchase("k", line("raise", 300));
    pay(payment.id());
    torg.awaitStatus(payment.id(), PaymentStatus.APPLIED);
    torg.consume(ban);
    torg.consume(unban);
    assertThat(torg.active(offer)).containsExactly("raise");
  }

  @Test
  void withdrawal_keepsTheClockRunning_andASaleEndsIt() {
    CreatedPayment payment = purchase("k", line("raise", 300));
    pay(payment.id());
    torg.awaitStatus(payment.id(), PaymentStatus.APPLIED);
    torg.consume(torg.change(offer, Status.WITHDRAWN));
    assertThat(torg.active(offer)).containsExactly("raise");
    torg.consume(torg.change(offer, Status.SOLD));
    assertThat(torg.active(offer)).isEmpty();
  }

  @Test
  void wrongSignature_andChangedAmountOrCurrency_applyNothing() {
    CreatedPayment payment = purchase("k", line("raise", 300));
    ByteString paid = torg.provider.pay(payment.id(), "e");
    assertThatThrownBy(() -> torg.webhooks.accept(Map.of("signature", "forged"), paid).join())
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.kind()).isEqualTo(Failure.Kind.UNAUTHENTICATED));
    torg.processor.process(
        List.of(
            report(ScriptedProvider.webhook("e1", "PAID", payment.id(), new Money(299, "EUR")))));
    torg.processor.process(
        List.of(
            report(ScriptedProvider.webhook("e2", "PAID", payment.id(), new Money(300, "USD")))));
    assertThat(torg.payment(payment.id()).status()).isEqualTo(PaymentStatus.PENDING);
    assertThat(torg.counter("torg.promotions.webhooks", "mismatch")).isEqualTo(2);
    assertThat(torg.counter("torg.promotions.webhooks", "refused")).isEqualTo(1);
    assertThat(torg.active(offer)).isEmpty();
  }

  @Test
  void lostWebhook_isFoundByAskingTheProvider() {
    CreatedPayment payment = purchase("k", line("raise", 300));
    var _ = torg.provider.pay(payment.id(), "lost");
    refundDue(payment.id());
    assertThat(torg.payment(payment.id()).status()).isEqualTo(PaymentStatus.PENDING);
    torg.clock.advance(CheckPaymentsJob.FIRST_CHECK);
    refundDue(payment.id());
    assertThat(torg.payment(payment.id()).status()).isEqualTo(PaymentStatus.APPLIED);
    assertThat(torg.active(offer)).containsExactly("raise");
  }

  @Test
  void paymentThatIsNeverMade_isDeclined_andCanStillBePaidLate() {
    CreatedPayment payment = purchase("k", line("raise", 300));
    torg.clock.advance(CheckPaymentsJob.MAX_PENDING.plus(Duration.ofMinutes(1)));
    refundDue(payment.id());
    assertThat(torg.payment(payment.id()).status()).isEqualTo(PaymentStatus.DECLINED);
    pay(payment.id());
    torg.awaitStatus(payment.id(), PaymentStatus.APPLIED);
  }

  @Test
  void declinedPayment_thatIsPaidAfterwards_isFoundByAskingTheProvider_whenItsWebhookIsLost() {
    CreatedPayment payment = purchase("k", line("raise", 300));
    torg.processor.process(List.of(report(torg.provider.decline(payment.id(), "declined"))));
    assertThat(torg.payment(payment.id()).status()).isEqualTo(PaymentStatus.DECLINED);
    torg.clock.advance(CheckPaymentsJob.FIRST_CHECK);
    refundDue(payment.id());
    assertThat(torg.payment(payment.id()).status()).isEqualTo(PaymentStatus.DECLINED);
    var _ = torg.provider.pay(payment.id(), "lost");
    torg.clock.advance(DAY);
    refundDue(payment.id());
    assertThat(torg.payment(payment.id()).status()).isEqualTo(PaymentStatus.APPLIED);
    assertThat(torg.active(offer)).containsExactly("raise");
  }

  @Test
  void paymentThatIsReturned_whileTheProviderIsAsked_isRefundedAtOnce() {
    CreatedPayment payment = purchase("k", line("raise", 300));
    torg.clock.advance(CheckPaymentsJob.FIRST_CHECK);
    torg.provider.duringNextStatus(
        () -> {
          torg.processor.process(List.of(report(torg.provider.pay(payment.id(), "paid"))));
          var _ = torg.payments.refund(payment.id(), "sorry", ADMIN);
        });
    refundDue(payment.id());
    assertThat(torg.payment(payment.id()).status()).isEqualTo(PaymentStatus.REFUND_DUE);
    refundDue(payment.id());
    assertThat(torg.payment(payment.id()).status()).isEqualTo(PaymentStatus.REFUNDED);
  }

  @Test
  void paymentThatIsReported_asPaidAndReturnedAtOnce_isNotDelivered() {
    CreatedPayment payment = purchase("k", line("raise", 300));
    ByteString paid = torg.provider.pay(payment.id(), "paid");
    ByteString returned =
        ScriptedProvider.webhook("returned", "REFUNDED", payment.id(), payment.total());
    torg.processor.process(List.of(report(paid), report(returned)));
    assertThat(torg.payment(payment.id()).status()).isEqualTo(PaymentStatus.REFUNDED);
    assertThat(torg.events(offer)).isEmpty();
  }

  @Test
  void reportsThatWait_haveNoBodies() {
    CreatedPayment payment = purchase("k", line("raise", 300));
    assertThat(report(torg.provider.pay(payment.id(), "e")).webhook().orElseThrow().body())
        .isEmpty();
  }

  @Test
  void webhookOfAnUnknownPayment_isStored_counted_andProcessedAgain() {
    NewPayment later = promotion(seller, offer, "later", line("raise", 300));
    torg.webhook(ScriptedProvider.webhook("early", "PAID", later.id(), later.total()));
    org.awaitility.Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> torg.counter("torg.promotions.webhooks", "unknown") == 1);
    assertThat(purchase("later", line("raise", 300)).id()).isEqualTo(later.id());
    torg.clock.advance(Duration.ofMinutes(5));
    var _ = torg.processWebhooks.run(torg.lease(later.id().home()), torg.clock.instant());
    assertThat(torg.payment(later.id()).status()).isEqualTo(PaymentStatus.APPLIED);
  }

  @Test
  void webhookThatWasStoredOnly_isProcessedByTheJob() {
    CreatedPayment payment = purchase("k", line("raise", 300));
    ByteString body = torg.provider.pay(payment.id(), "crash");
    torg.database.transact(
        tx -> {
          var _ =
              new WebhookStore()
                  .insert(
                      tx,
                      List.of(
                          ReceivedWebhook.of(
                              "scripted", torg.provider.read(body), body, torg.clock.instant())));
        });
    var _ = torg.processWebhooks.run(torg.lease(payment.id().home()), torg.clock.instant());
    assertThat(torg.payment(payment.id()).status()).isEqualTo(PaymentStatus.PENDING);
    torg.clock.advance(WebhookStore.PROCESSING_TIME);
    var _ = torg.processWebhooks.run(torg.lease(payment.id().home()), torg.clock.instant());
    assertThat(torg.payment(payment.id()).status()).isEqualTo(PaymentStatus.APPLIED);
    torg.clock.advance(Duration.ofDays(31));
    var _ = torg.processWebhooks.purge(torg.lease(payment.id().home()), torg.clock.instant());
    assertThat(
            torg.count(
                "SELECT count(*) FROM payment_webhook WHERE home = ? AND payment_id = ?",
                payment.id().home(),
                payment.id().text()))
        .isZero();
  }

  @Test
  void refundByAnAdmin_endsTheService_andReturnsTheMoneyOnce() {
    CreatedPayment payment = purchase("k", line("raise", 300));
    assertThatThrownBy(() -> torg.payments.refund(payment.id(), "", ADMIN))
        .isInstanceOf(Failure.class);
    pay(payment.id());
    torg.awaitStatus(payment.id(), PaymentStatus.APPLIED);
    assertThat(torg.payments.refund(payment.id(), "sorry", ADMIN).status())
        .isEqualTo(PaymentStatus.REFUND_DUE);
    assertThat(torg.payments.refund(payment.id(), "again", ADMIN).reason()).contains("sorry");
    assertThat(torg.active(offer)).isEmpty();
    torg.provider.setPendingRefund(true);
    refundDue(payment.id());
    assertThat(torg.payment(payment.id()).status()).isEqualTo(PaymentStatus.REFUND_DUE);
    torg.provider.setPendingRefund(false);
    torg.clock.advance(Duration.ofMinutes(5));
    refundDue(payment.id());
    assertThat(torg.payment(payment.id()).status()).isEqualTo(PaymentStatus.REFUNDED);
    assertThat(torg.provider.refunded(payment.id())).isEqualTo(300);
    torg.clock.advance(Duration.ofDays(1));
    refundDue(payment.id());
    assertThat(torg.provider.refundCalls()).isEqualTo(2);
  }

  @Test
  void refundMadeAtTheProvider_endsTheService() {
    CreatedPayment payment = purchase("k", line("raise", 300));
    pay(payment.id());
    torg.awaitStatus(payment.id(), PaymentStatus.APPLIED);
    torg.webhook(ScriptedProvider.webhook("r", "REFUNDED", payment.id(), new Money(300, "EUR")));
    torg.awaitStatus(payment.id(), PaymentStatus.REFUNDED);
    assertThat(torg.active(offer)).isEmpty();
    assertThat(torg.provider.refundCalls()).isZero();
  }

  @Test
  void keptPayment_isUsedOnce_orReturned() {
    NewPayment kept =
        new NewPayment(
            seller,
            PaymentsFixture.KeepingHandler.PURPOSE,
            "thing",
            "k",
            "r",
            "A thing",
            List.of(PaymentLine.of("thing", new Money(700, "EUR"))));
    PaymentId id = torg.payments.create(kept).id();
    PaymentUse use = new PaymentUse(id, seller, kept.purpose(), "thing", kept.total());
    assertThatThrownBy(() -> use(use)).isInstanceOf(Failure.class);
    pay(id);
    torg.awaitStatus(id, PaymentStatus.PAID);
    assertThatThrownBy(() -> use(new PaymentUse(id, seller, kept.purpose(), "other", kept.total())))
        .isInstanceOf(Failure.class);
    use(use);
    assertThat(torg.payment(id).status()).isEqualTo(PaymentStatus.APPLIED);
    assertThatThrownBy(() -> use(use)).isInstanceOf(Failure.class);
    assertThatThrownBy(() -> torg.database.transact(tx -> torg.payments.refund(tx, id, "no")))
        .isInstanceOf(Failure.class);
  }

  private void use(PaymentUse use) {
    torg.database.transact(tx -> torg.payments.use(tx, use));
  }

  @Test
  void payments_areListed_newestFirst_pageByPage_forTheirPayerOnly() {
    List<String> created = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      created.addFirst(purchase("k" + i, line("raise", 300)).id().text());
    }
    Caller caller = new Caller(seller, Set.of(Role.USER));
    List<String> listed = new ArrayList<>();
    String token = "";
    do {
      PaymentPage page = torg.payments.list(caller, 2, token);
      page.payments().forEach(payment -> listed.add(payment.id().text()));
      token = page.nextPageToken();
    } while (!token.isEmpty());
    assertThat(listed).containsExactlyElementsOf(created);
    PaymentId id = new PaymentId(created.getFirst());
    assertThat(torg.payments.get(ADMIN, id).id()).isEqualTo(id);
    assertThatThrownBy(() -> torg.payments.get(new Caller("user:other", Set.of(Role.USER)), id))
        .isInstanceOf(Failure.class);
    assertThatThrownBy(() -> torg.payments.list(caller, 2, "nonsense")).isInstanceOf(Failure.class);
  }

  @Test
  void expiry_endsEachServiceOnce_byTwoProcesses() throws Exception {
    Set<OfferId> sold = new HashSet<>(Set.of(offer));
    for (int i = 0; i < 50; i++) {
      sold.add(torg.offer(seller));
    }
    for (OfferId id : sold) {
      CreatedPayment payment = torg.purchase(seller, id, "k" + id, line("raise", 300));
      torg.processor.process(List.of(report(torg.provider.pay(payment.id(), "e" + id))));
    }
    var lease = torg.lease(offer.home());
    assertThat(torg.expire.run(lease, torg.clock.instant())).isFalse();
    assertThat(torg.active(offer)).containsExactly("raise");
    torg.clock.advance(DAY);
    assertThat(torg.active(offer)).isEmpty();
    try (PaymentsFixture other = new PaymentsFixture(TABLES.url())) {
      var now = torg.clock.instant();
      race(() -> run(torg, lease, now), () -> run(other, lease, now));
    }
    for (OfferId id : sold) {
      assertThat(torg.events(id)).hasSize(2);
      assertThat(torg.events(id).getLast().getServicesList()).isEmpty();
      assertThat(torg.events(id).getLast().hasRaisedAt()).isTrue();
      assertThat(
              torg.count(
                  "SELECT count(*) FROM promotion_expiry WHERE home = ? AND entity_id = ?",
                  id.home(),
                  id.toString()))
          .isZero();
    }
    assertThat(torg.endEntries(seller))
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.size()).isEqualTo(sold.size());
              assertThat(entry.content().getTitle()).contains(sold.size() + " of your offers");
            });
  }

  @Test
  void expiry_aFractionOfAMicrosecondEarly_leavesTheServiceToTheNextRun() {
    CreatedPayment payment = purchase("k", line("raise", 300));
    torg.processor.process(List.of(report(torg.provider.pay(payment.id(), "e"))));
    Instant until = EpochMicros.instant(torg.events(offer).getFirst().getServices(0).getUntil());
    run(torg, torg.lease(offer.home()), until.minusNanos(300));
    assertThat(torg.events(offer)).hasSize(1);
    run(torg, torg.lease(offer.home()), until);
    assertThat(torg.events(offer)).hasSize(2);
  }

  private static void run(
      PaymentsFixture process, dev.torg.platform.lease.Lease lease, java.time.Instant now) {
    while (process.expire.run(lease, now)) {
      // A page was full.
    }
  }
}
