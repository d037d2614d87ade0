package dev.torg.promotions.provider.stripe;

import com.stripe.StripeClient;
import com.stripe.exception.StripeException;
import com.stripe.model.Charge;
import com.stripe.model.PaymentIntent;
import com.stripe.model.checkout.Session;
import com.stripe.net.RequestOptions;
import com.stripe.param.checkout.SessionCreateParams;
import com.stripe.param.checkout.SessionCreateParams.LineItem;
import com.stripe.param.checkout.SessionCreateParams.PaymentIntentData;
import com.stripe.param.checkout.SessionRetrieveParams;
import dev.torg.promotions.provider.CheckoutLine;
import dev.torg.promotions.provider.CheckoutRequest;
import dev.torg.promotions.provider.ProviderPayment;
import java.util.Optional;

/// Checkout sessions. A session expires at Stripe after a day; then the payment is declined.
final class StripeCheckouts {
  /// In the metadata of sessions, payment intents and, copied by Stripe, charges.
  static final String PAYMENT_KEY = "torg_payment";

  private static final String LATEST_CHARGE = "payment_intent.latest_charge";

  /// Of `description` and product names.
  private static final int MAX_TEXT_CHARS = 250;

  private final StripeClient stripe;
  private final String defaultReturnUrl;

  StripeCheckouts(StripeClient stripe, String defaultReturnUrl) {
    this.stripe = stripe;
    this.defaultReturnUrl = defaultReturnUrl;
  }

  Session create(CheckoutRequest request) {
    SessionCreateParams params = params(request);
    RequestOptions options =
        RequestOptions.builder().setIdempotencyKey("checkout-" + request.paymentId()).build();
    return StripeFailures.call(() -> stripe.v1().checkout().sessions().create(params, options));
  }

  private SessionCreateParams params(CheckoutRequest request) {
    String id = request.paymentId().text();
    String returnUrl = request.returnUrl().isEmpty() ? defaultReturnUrl : request.returnUrl();
    SessionCreateParams.Builder params =
        SessionCreateParams.builder()
            .setMode(SessionCreateParams.Mode.PAYMENT)
            .setClientReferenceId(id)
            .putMetadata(PAYMENT_KEY, id)
            .setSuccessUrl(returnUrl)
            .setCancelUrl(returnUrl)
            .setPaymentIntentData(paymentIntent(request, id));
    request.lines().forEach(line -> params.addLineItem(lineItem(line)));
    return params.build();
  }

  private static PaymentIntentData paymentIntent(CheckoutRequest request, String id) {
    PaymentIntentData.Builder data = PaymentIntentData.builder().putMetadata(PAYMENT_KEY, id);
    if (!request.description().isBlank()) {
      data.setDescription(shortened(request.description()));
    }
    return data.build();
  }

  private static LineItem lineItem(CheckoutLine line) {
    return LineItem.builder()
        .setQuantity(1L)
        .setPriceData(
            LineItem.PriceData.builder()
                .setCurrency(StripeAmounts.currency(line.amount()))
                .setUnitAmount(StripeAmounts.toStripe(line.amount()))
                .setProductData(
                    LineItem.PriceData.ProductData.builder()
                        .setName(shortened(line.label()))
                        .build())
                .build())
        .build();
  }

  private static String shortened(String text) {
    return text.length() <= MAX_TEXT_CHARS ? text : text.substring(0, MAX_TEXT_CHARS);
  }

  /// The session with its payment and charge, or nothing if Stripe has no such session.
  Optional<Session> find(String reference) {
    SessionRetrieveParams params = SessionRetrieveParams.builder().addExpand(LATEST_CHARGE).build();
    try {
      return Optional.of(
          StripeFailures.callOrThrow(
              () -> stripe.v1().checkout().sessions().retrieve(reference, params)));
    } catch (StripeException e) {
      if (StripeFailures.status(e) == StripeFailures.NOT_FOUND) {
        return Optional.empty();
      }
      throw StripeFailures.failure(e);
    }
  }

  static ProviderPayment payment(Session session) {
    String currency = session.getCurrency();
    return ProviderPayment.of(
        state(session),
        StripeAmounts.fromStripe(session.getAmountTotal(), currency),
        StripeAmounts.fromStripe(refunded(session), currency).amount());
  }

  static ProviderPayment.State state(Session session) {
    if ("paid".equals(session.getPaymentStatus())) {
      return ProviderPayment.State.PAID;
    }
    return "expired".equals(session.getStatus())
        ? ProviderPayment.State.DECLINED
        : ProviderPayment.State.PENDING;
  }

  private static long refunded(Session session) {
    return Optional.ofNullable(session.getPaymentIntentObject())
        .map(PaymentIntent::getLatestChargeObject)
        .map(Charge::getAmountRefunded)
        .orElse(0L);
  }
}
