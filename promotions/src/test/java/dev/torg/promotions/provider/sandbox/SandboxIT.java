package dev.torg.promotions.provider.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.platform.Failure;
import dev.torg.platform.Money;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.PaymentProviderSettings.SandboxCalls;
import dev.torg.promotions.SandboxCheckout;
import dev.torg.promotions.provider.Checkout;
import dev.torg.promotions.provider.CheckoutRequest;
import dev.torg.promotions.provider.ProviderPayment;
import dev.torg.promotions.provider.RefundResult;
import dev.torg.promotions.provider.TestCheckouts;
import dev.torg.promotions.provider.WebhookEvent;
import dev.torg.promotions.provider.WebhookEvent.Kind;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SandboxIT {
  @RegisterExtension static final TestDatabase DATABASE = SandboxFixture.tables();

  private final SandboxFixture sandbox = new SandboxFixture(DATABASE.url());

  @AfterEach
  void close() {
    sandbox.close();
  }

  private PaymentId created() {
    CheckoutRequest request = TestCheckouts.request();
    sandbox.provider.createCheckout(request);
    return request.paymentId();
  }

  private PaymentId paid() {
    PaymentId id = created();
    sandbox.payments.pay(id);
    return id;
  }

  private ProviderPayment status(PaymentId id) {
    return sandbox.provider.status(id, "sandbox_" + id);
  }

  private RefundResult refund(PaymentId id, long cents, String key) {
    return sandbox.provider.refund(id, "sandbox_" + id, TestCheckouts.eur(cents), key);
  }

  @Test
  void createCheckout_repeated_isTheSamePayment() {
    CheckoutRequest request = TestCheckouts.request();
    Checkout first = sandbox.provider.createCheckout(request);
    assertThat(first)
        .isEqualTo(
            new Checkout(
                "sandbox_" + request.paymentId(),
                "https://torg.example/sandbox/payments/" + request.paymentId()));
    sandbox.payments.pay(request.paymentId());
    assertThat(sandbox.provider.createCheckout(request)).isEqualTo(first);
    assertThat(status(request.paymentId()))
        .isEqualTo(ProviderPayment.of(ProviderPayment.State.PAID, TestCheckouts.eur(750), 0));
  }

  @Test
  void createCheckout_sameIdWithAnotherTotal_isAConflict() {
    CheckoutRequest request = TestCheckouts.request();
    sandbox.provider.createCheckout(request);
    CheckoutRequest other =
        TestCheckouts.request(request.paymentId(), TestCheckouts.eur(1), TestCheckouts.eur(2));
    assertThatThrownBy(() -> sandbox.provider.createCheckout(other))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.kind()).isEqualTo(Failure.Kind.CONFLICT));
  }

  @Test
  void find_createdPayment_hasWhatThePageShows() {
    CheckoutRequest request = TestCheckouts.request();
    sandbox.provider.createCheckout(request);
    assertThat(sandbox.payments.find(request.paymentId()))
        .contains(
            new SandboxCheckout(
                request.paymentId(),
                SandboxCheckout.Status.PENDING,
                TestCheckouts.eur(750),
                0,
                "VW Golf, one owner",
                "https://shop.example/offers/1",
                List.of(
                    new SandboxCheckout.Line("premium", TestCheckouts.eur(500)),
                    new SandboxCheckout.Line("raise", TestCheckouts.eur(250)))));
  }

  @Test
  void anything_unknownPayment_isUnknown() {
    PaymentId id = TestCheckouts.id();
    assertThat(status(id)).isEqualTo(ProviderPayment.unknown());
    assertThat(refund(id, 1, "k").outcome()).isEqualTo(RefundResult.Outcome.REFUSED);
    assertThatThrownBy(() -> sandbox.payments.pay(id))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.kind()).isEqualTo(Failure.Kind.NOT_FOUND));
  }

  @Test
  void pay_once_callsTheWebhookWithASignatureThatVerifies() {
    PaymentId id = paid();
    sandbox.runJob(id);
    assertThat(sandbox.receivedOf(id))
        .containsExactly(
            new WebhookEvent(
                "sandbox_" + id + "_1",
                Kind.PAID,
                Optional.of(id),
                "sandbox_" + id,
                Optional.of(TestCheckouts.eur(750))));
    sandbox.runJob(id);
    assertThat(sandbox.receivedOf(id)).hasSize(1);
  }

  @Test
  void pay_twiceAndThenDecline_isPaidWithOneEvent() {
    PaymentId id = paid();
    assertThat(sandbox.payments.pay(id).status()).isEqualTo(SandboxCheckout.Status.PAID);
    assertThat(sandbox.payments.decline(id).status()).isEqualTo(SandboxCheckout.Status.PAID);
    sandbox.runJob(id);
    assertThat(sandbox.receivedOf(id)).extracting(WebhookEvent::kind).containsExactly(Kind.PAID);
  }

  @Test
  void decline_thenPay_reportsBoth() {
    PaymentId id = created();
    sandbox.payments.decline(id);
    assertThat(status(id).state()).isEqualTo(ProviderPayment.State.DECLINED);
    sandbox.payments.pay(id);
    sandbox.runJob(id);
    assertThat(sandbox.receivedOf(id))
        .extracting(WebhookEvent::kind)
        .containsExactly(Kind.DECLINED, Kind.PAID);
  }

  @Test
  void pay_withRepeatsAndDelay_callsAgainWhenDue() {
    sandbox.use(new SandboxCalls(2, Duration.ofMinutes(10), false));
    PaymentId id = paid();
    for (int calls = 0; calls <= 3; calls++) {
      sandbox.runJob(id);
      assertThat(sandbox.receivedOf(id)).hasSize(calls);
      sandbox.clock.advance(Duration.ofMinutes(11));
    }
    sandbox.runJob(id);
    assertThat(sandbox.receivedOf(id)).hasSize(3);
    assertThat(sandbox.receivedOf(id).stream().distinct()).hasSize(1);
  }

  /// With 20 payments that are declined and paid at once, some PAID arrive before their DECLINED.
  @Test
  void pay_shuffled_eventsArriveInAnotherOrder() {
    sandbox.use(new SandboxCalls(1, Duration.ofMinutes(1), true));
    List<PaymentId> ids = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      PaymentId id = created();
      sandbox.payments.decline(id);
      sandbox.payments.pay(id);
      ids.add(id);
    }
    sandbox.clock.advance(Duration.ofMinutes(5));
    ids.forEach(sandbox::runJob);
    assertThat(ids).allSatisfy(id -> assertThat(sandbox.receivedOf(id)).hasSize(4));
    assertThat(ids)
        .extracting(id -> sandbox.receivedOf(id).getFirst().kind())
        .contains(Kind.PAID, Kind.DECLINED);
  }

  @Test
  void runJob_webhookRefused_isRepeatedWithBackoffUntilAccepted() {
    PaymentId id = paid();
    sandbox.respondWith(500);
    sandbox.runJob(id);
    sandbox.runJob(id);
    assertThat(sandbox.receivedOf(id)).hasSize(1);
    sandbox.clock.advance(Duration.ofSeconds(2));
    sandbox.runJob(id);
    assertThat(sandbox.receivedOf(id)).hasSize(2);
    sandbox.respondWith(204);
    sandbox.clock.advance(Duration.ofSeconds(3));
    sandbox.runJob(id);
    assertThat(sandbox.receivedOf(id)).hasSize(3);
    sandbox.clock.advance(Duration.ofDays(1));
    sandbox.runJob(id);
    assertThat(sandbox.receivedOf(id)).hasSize(3);
  }

  @Test
  void runJob_webhookRefusedForDays_isGivenUp() {
    PaymentId id = paid();
    sandbox.respondWith(400);
    for (int attempt = 0; attempt < 50; attempt++) {
      sandbox.runJob(id);
      sandbox.clock.advance(Duration.ofHours(2));
    }
    assertThat(sandbox.receivedOf(id)).hasSize(36);
  }

  @Test
  void restart_beforeTheCall_losesNothing() {
    PaymentId id = paid();
    sandbox.stopReceiver();
    sandbox.runJob(id);
    try (SandboxFixture restarted = new SandboxFixture(DATABASE.url())) {
      restarted.clock.advance(Duration.ofMinutes(1));
      restarted.runJob(id);
      assertThat(restarted.receivedOf(id))
          .extracting(WebhookEvent::kind)
          .containsExactly(Kind.PAID);
      assertThat(restarted.provider.status(id, "").state()).isEqualTo(ProviderPayment.State.PAID);
    }
  }

  @Test
  void refund_repeated_returnsTheMoneyOnce() {
    PaymentId id = paid();
    assertThat(refund(id, 250, "a")).isEqualTo(RefundResult.refunded("a"));
    assertThat(refund(id, 250, "a")).isEqualTo(RefundResult.refunded("a"));
    assertThat(status(id).refunded()).isEqualTo(250);
    assertThat(refund(id, 251, "a").outcome()).isEqualTo(RefundResult.Outcome.REFUSED);
    assertThat(refund(id, 500, "b")).isEqualTo(RefundResult.refunded("b"));
    assertThat(sandbox.payments.find(id).orElseThrow().status())
        .isEqualTo(SandboxCheckout.Status.REFUNDED);
    assertThat(refund(id, 1, "c").outcome()).isEqualTo(RefundResult.Outcome.REFUSED);
    sandbox.runJob(id);
    assertThat(sandbox.receivedOf(id))
        .extracting(event -> event.kind() + " " + event.amount().orElseThrow().amount())
        .containsExactly("PAID 750", "REFUNDED 250", "REFUNDED 750");
  }

  @Test
  void purge_deletesPaymentsAndTheirRefunds_200DaysAfterTheirLastChange() {
    PaymentId untouched = paid();
    PaymentId refunded = paid();
    sandbox.clock.advance(Duration.ofDays(100));
    assertThat(refund(refunded, 250, "a")).isEqualTo(RefundResult.refunded("a"));
    sandbox.clock.advance(Duration.ofDays(99));
    sandbox.purge(untouched);
    assertThat(sandbox.payments.find(untouched)).isPresent();
    sandbox.clock.advance(Duration.ofDays(2));
    sandbox.purge(untouched);
    sandbox.purge(refunded);
    assertThat(sandbox.payments.find(untouched)).isEmpty();
    assertThat(refund(refunded, 250, "a")).isEqualTo(RefundResult.refunded("a"));
    assertThat(status(refunded).refunded()).isEqualTo(250);
    sandbox.clock.advance(Duration.ofDays(200));
    sandbox.purge(refunded);
    assertThat(status(refunded)).isEqualTo(ProviderPayment.unknown());
    assertThat(sandbox.refunds(refunded)).isZero();
  }

  @Test
  void refund_notPaidOrAnotherCurrency_isRefused() {
    assertThat(refund(created(), 1, "a").outcome()).isEqualTo(RefundResult.Outcome.REFUSED);
    PaymentId id = paid();
    assertThat(sandbox.provider.refund(id, "", new Money(1, "USD"), "a").outcome())
        .isEqualTo(RefundResult.Outcome.REFUSED);
    assertThat(status(id).refunded()).isZero();
  }

  @Test
  void refund_sameKeyFromManyThreads_returnsTheMoneyOnce() throws Exception {
    PaymentId id = paid();
    List<Future<RefundResult>> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 16; i++) {
        results.add(threads.submit(() -> refund(id, 100, "same")));
      }
    }
    for (Future<RefundResult> result : results) {
      assertThat(result.get()).isEqualTo(RefundResult.refunded("same"));
    }
    assertThat(status(id).refunded()).isEqualTo(100);
  }
}
