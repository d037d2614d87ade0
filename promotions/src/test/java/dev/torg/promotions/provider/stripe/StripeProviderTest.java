package dev.torg.promotions.provider.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Kind;
import dev.torg.platform.Money;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.PaymentProviderSettings.Stripe;
import dev.torg.promotions.provider.Checkout;
import dev.torg.promotions.provider.CheckoutRequest;
import dev.torg.promotions.provider.ProviderPayment;
import dev.torg.promotions.provider.ProviderPayment.State;
import dev.torg.promotions.provider.RefundResult;
import dev.torg.promotions.provider.TestCheckouts;
import dev.torg.promotions.provider.stripe.FakeStripe.Fault;
import dev.torg.promotions.provider.stripe.StripeProvider.StripeTimeouts;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class StripeProviderTest {
  private static final StripeTimeouts LONG =
      new StripeTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(30));

  private static final String SESSIONS = "POST /v1/checkout/sessions";

  /// More than the JDK and the library repeat in one call.
  private static final Fault[] LOST =
      Collections.nCopies(6, Fault.LOST_RESPONSE).toArray(Fault[]::new);

  private final FakeStripe stripe = new FakeStripe();
  private final StripeProvider provider = provider(stripe.url(), FakeStripe.KEY, LONG);

  @AfterEach
  void close() {
    stripe.close();
  }

  private static StripeProvider provider(URI url, String key, StripeTimeouts timeouts) {
    return new StripeProvider(new Stripe(url, key, "whsec_test", "https://torg.example"), timeouts);
  }

  /// A checkout and its reference.
  private record Created(PaymentId id, String reference) {}

  private Created created() {
    CheckoutRequest request = TestCheckouts.request();
    return new Created(request.paymentId(), provider.createCheckout(request).providerReference());
  }

  private Created paid() {
    Created created = created();
    stripe.pay(created.reference);
    return created;
  }

  private RefundResult refund(Created payment, long cents, String key) {
    return provider.refund(payment.id, payment.reference, TestCheckouts.eur(cents), key);
  }

  private long refunded(Created payment) {
    return provider.status(payment.id, payment.reference).refunded();
  }

  private static void assertFails(ThrowingCallable call, Kind kind, String code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.kind()).isEqualTo(kind);
              assertThat(failure.code()).isEqualTo(code);
              assertThat(failure.getMessage()).doesNotContain("sk_", "req_");
            });
  }

  private static void assertUnavailable(ThrowingCallable call) {
    assertFails(call, Kind.UNAVAILABLE, "payment-provider.unavailable");
  }

  @Test
  void createCheckout_isASessionThatNamesThePayment() {
    CheckoutRequest request = TestCheckouts.request();
    assertThat(provider.createCheckout(request))
        .isEqualTo(new Checkout("cs_test_1", "https://checkout.stripe.example/c/pay/cs_test_1"));
    String id = request.paymentId().text();
    assertThat(stripe.created().getFirst())
        .containsAllEntriesOf(
            Map.of(
                "mode", "payment",
                "client_reference_id", id,
                "metadata[torg_payment]", id,
                "payment_intent_data[metadata][torg_payment]", id,
                "payment_intent_data[description]", "VW Golf, one owner",
                "success_url", "https://shop.example/offers/1",
                "line_items[0][price_data][currency]", "eur",
                "line_items[0][price_data][unit_amount]", "500",
                "line_items[1][price_data][product_data][name]", "raise",
                "line_items[1][quantity]", "1"));
  }

  @Test
  void createCheckout_repeated_isTheSameSession() {
    CheckoutRequest request = TestCheckouts.request();
    assertThat(provider.createCheckout(request)).isEqualTo(provider.createCheckout(request));
    assertThat(stripe.created()).hasSize(1);
  }

  @Test
  void createCheckout_sameIdWithAnotherTotal_isRefused() {
    CheckoutRequest request = TestCheckouts.request();
    provider.createCheckout(request);
    CheckoutRequest other =
        TestCheckouts.request(request.paymentId(), TestCheckouts.eur(100), TestCheckouts.eur(200));
    assertFails(() -> provider.createCheckout(other), Kind.INVALID, "payment-provider.refused");
    assertThat(stripe.created()).hasSize(1);
  }

  @Test
  void createCheckout_tooSmallAnAmount_isRefused() {
    CheckoutRequest small =
        TestCheckouts.request(TestCheckouts.id(), TestCheckouts.eur(1), TestCheckouts.eur(2));
    assertFails(() -> provider.createCheckout(small), Kind.INVALID, "payment-provider.refused");
  }

  @Test
  void createCheckout_wrongKey_isUnavailable() {
    StripeProvider other = provider(stripe.url(), "sk_test_wrong", LONG);
    assertUnavailable(() -> other.createCheckout(TestCheckouts.request()));
  }

  /// The library repeats a request once, after half a second, except at 429.
  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      mode = Mode.EXCLUDE,
      names = {"HANG", "LOST_RESPONSE"})
  void createCheckout_faults_areUnavailableAndThenItContinues(Fault fault) {
    CheckoutRequest request = TestCheckouts.request();
    stripe.inject(SESSIONS, fault, fault);
    while (!stripe.isFaultless()) {
      assertUnavailable(() -> provider.createCheckout(request));
    }
    assertThat(provider.createCheckout(request).providerReference()).isEqualTo("cs_test_1");
    assertThat(stripe.created()).hasSize(1);
  }

  @Test
  void createCheckout_responsesLost_isTheSessionThatWasCreated() {
    CheckoutRequest request = TestCheckouts.request();
    stripe.inject(SESSIONS, LOST);
    assertThat(untilAnswered(() -> provider.createCheckout(request)).providerReference())
        .isEqualTo("cs_test_1");
    assertThat(stripe.isFaultless()).isTrue();
    assertThat(stripe.created()).hasSize(1);
  }

  /// Repeats a call that is unavailable, as a job does.
  private static <T> T untilAnswered(Supplier<T> call) {
    for (int attempt = 1; ; attempt++) {
      try {
        return call.get();
      } catch (Failure e) {
        assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(attempt).isLessThan(20);
      }
    }
  }

  @Test
  void createCheckout_noResponseInTime_isUnavailable() {
    StripeProvider impatient =
        provider(
            stripe.url(),
            FakeStripe.KEY,
            new StripeTimeouts(Duration.ofSeconds(30), Duration.ofMillis(200)));
    stripe.inject(SESSIONS, Fault.HANG, Fault.HANG);
    assertUnavailable(() -> impatient.createCheckout(TestCheckouts.request()));
    assertThat(stripe.isFaultless()).isTrue();
  }

  @Test
  void createCheckout_nothingListens_isUnavailable() {
    stripe.close();
    assertUnavailable(() -> provider.createCheckout(TestCheckouts.request()));
  }

  @Test
  void status_followsTheSession() {
    Created payment = created();
    Money total = TestCheckouts.eur(750);
    assertThat(provider.status(payment.id, payment.reference))
        .isEqualTo(ProviderPayment.of(State.PENDING, total, 0));
    stripe.expire(payment.reference);
    assertThat(provider.status(payment.id, payment.reference))
        .isEqualTo(ProviderPayment.of(State.DECLINED, total, 0));
    stripe.pay(payment.reference);
    refund(payment, 250, "a");
    assertThat(provider.status(payment.id, payment.reference))
        .isEqualTo(ProviderPayment.of(State.PAID, total, 250));
  }

  @Test
  void status_noSessionOrThatOfAnotherPayment_isUnknown() {
    Created payment = paid();
    assertThat(provider.status(payment.id, "cs_test_missing")).isEqualTo(ProviderPayment.unknown());
    assertThat(provider.status(TestCheckouts.id(), payment.reference))
        .isEqualTo(ProviderPayment.unknown());
  }

  @Test
  void status_serverError_isUnavailable() {
    Created payment = created();
    stripe.inject("GET /v1/checkout/sessions/", Fault.SERVER_ERROR, Fault.SERVER_ERROR);
    assertUnavailable(() -> provider.status(payment.id, payment.reference));
  }

  @Test
  void refund_repeated_returnsTheMoneyOnce() {
    Created payment = paid();
    assertThat(refund(payment, 250, "a")).isEqualTo(RefundResult.refunded("re_1"));
    assertThat(refund(payment, 250, "a")).isEqualTo(RefundResult.refunded("re_1"));
    stripe.forgetKeys();
    assertThat(refund(payment, 250, "a")).isEqualTo(RefundResult.refunded("re_1"));
    assertThat(refund(payment, 500, "b")).isEqualTo(RefundResult.refunded("re_2"));
    assertThat(refunded(payment)).isEqualTo(750);
    assertThat(stripe.refundCount()).isEqualTo(2);
  }

  @Test
  void refund_moreThanWasPaid_isRefused() {
    Created payment = paid();
    assertThat(refund(payment, 751, "a").outcome()).isEqualTo(RefundResult.Outcome.REFUSED);
    assertThat(refunded(payment)).isZero();
  }

  @Test
  void refund_notPaid_isRefused() {
    assertThat(refund(created(), 1, "a").outcome()).isEqualTo(RefundResult.Outcome.REFUSED);
  }

  @Test
  void refund_pending_isPendingUntilItSucceedsOrFails() {
    Created payment = paid();
    stripe.useRefundStatus("pending");
    assertThat(refund(payment, 250, "a")).isEqualTo(RefundResult.pending("re_1"));
    stripe.useRefundStatus("succeeded");
    assertThat(refund(payment, 250, "a")).isEqualTo(RefundResult.refunded("re_1"));
    stripe.useRefundStatus("failed");
    assertThat(refund(payment, 250, "a").outcome()).isEqualTo(RefundResult.Outcome.REFUSED);
    assertThat(stripe.refundCount()).isEqualTo(1);
  }

  /// The refund was made, and its responses were lost: the repetition finds it.
  @Test
  void refund_responsesLost_returnsTheMoneyOnce() {
    Created payment = paid();
    stripe.inject("POST /v1/refunds", Fault.LOST_RESPONSE);
    assertThat(untilAnswered(() -> refund(payment, 250, "a")))
        .isEqualTo(RefundResult.refunded("re_1"));
    assertThat(stripe.isFaultless()).isTrue();
    assertThat(refunded(payment)).isEqualTo(250);
  }

  @Test
  void refund_serverError_isUnavailableAndThenDone() {
    Created payment = paid();
    stripe.inject("POST /v1/refunds", Fault.SERVER_ERROR, Fault.SERVER_ERROR);
    assertUnavailable(() -> refund(payment, 250, "a"));
    assertThat(refund(payment, 250, "a")).isEqualTo(RefundResult.refunded("re_1"));
  }
}
