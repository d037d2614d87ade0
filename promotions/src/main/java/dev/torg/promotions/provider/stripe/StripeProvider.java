package dev.torg.promotions.provider.stripe;

import com.google.protobuf.ByteString;
import com.stripe.StripeClient;
import com.stripe.exception.SignatureVerificationException;
import com.stripe.model.checkout.Session;
import com.stripe.net.Webhook;
import dev.torg.platform.Failure;
import dev.torg.platform.Money;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.PaymentProviderSettings.Stripe;
import dev.torg.promotions.provider.Checkout;
import dev.torg.promotions.provider.CheckoutRequest;
import dev.torg.promotions.provider.PaymentProvider;
import dev.torg.promotions.provider.ProviderPayment;
import dev.torg.promotions.provider.RefundResult;
import dev.torg.promotions.provider.WebhookEvent;
import dev.torg.promotions.provider.WebhookRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;

/// Stripe as a payment provider. The reference of a payment is the id of its Checkout session.
public final class StripeProvider implements PaymentProvider {
  public static final String NAME = "stripe";

  static final String SIGNATURE_HEADER = "stripe-signature";

  /// How old a webhook may be. Stripe signs each repetition anew.
  private static final Duration TOLERANCE = Duration.ofMinutes(5);

  private static final int MAX_RETRIES = 1;

  private final StripeCheckouts checkouts;
  private final StripeRefunds refunds;
  private final String webhookSecret;

  public StripeProvider(Stripe settings) {
    this(settings, StripeTimeouts.defaults());
  }

  StripeProvider(Stripe settings, StripeTimeouts timeouts) {
    StripeClient client =
        StripeClient.builder()
            .setApiKey(settings.key())
            .setApiBase(settings.apiUrl().toString().replaceFirst("/+$", ""))
            .setConnectTimeout(Math.toIntExact(timeouts.connect().toMillis()))
            .setReadTimeout(Math.toIntExact(timeouts.read().toMillis()))
            .setMaxNetworkRetries(MAX_RETRIES)
            .build();
    this.checkouts = new StripeCheckouts(client, settings.returnUrl());
    this.refunds = new StripeRefunds(client);
    this.webhookSecret = settings.webhookSecret();
  }

  /// How long the parts of a call may take.
  record StripeTimeouts(Duration connect, Duration read) {
    static StripeTimeouts defaults() {
      return new StripeTimeouts(Duration.ofSeconds(5), Duration.ofSeconds(10));
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Checkout createCheckout(CheckoutRequest request) {
    Session session = checkouts.create(request);
    return new Checkout(session.getId(), Optional.ofNullable(session.getUrl()).orElse(""));
  }

  @Override
  public ProviderPayment status(PaymentId id, String providerReference) {
    return find(id, providerReference)
        .map(StripeCheckouts::payment)
        .orElseGet(ProviderPayment::unknown);
  }

  /// A session of another payment is none of this one's.
  private Optional<Session> find(PaymentId id, String providerReference) {
    return checkouts
        .find(providerReference)
        .filter(session -> id.text().equals(session.getClientReferenceId()));
  }

  @Override
  public RefundResult refund(
      PaymentId id, String providerReference, Money amount, String refundKey) {
    return find(id, providerReference)
        .filter(session -> StripeCheckouts.state(session) == ProviderPayment.State.PAID)
        .map(Session::getPaymentIntent)
        .map(paymentIntent -> refunds.refund(paymentIntent, amount, refundKey))
        .orElseGet(() -> RefundResult.refused("not-paid"));
  }

  @Override
  public WebhookEvent verify(WebhookRequest request, Instant now) {
    if (!isSigned(request, now)) {
      throw Failure.unauthenticated(
          "webhook.signature-invalid", "the signature of the webhook is missing, wrong or too old");
    }
    return read(request.body());
  }

  /// The library throws unchecked exceptions at headers without a number.
  private boolean isSigned(WebhookRequest request, Instant now) {
    try {
      return Webhook.Signature.verifyHeader(
          request.body().toStringUtf8(),
          request.header(SIGNATURE_HEADER),
          webhookSecret,
          TOLERANCE.toSeconds(),
          Clock.fixed(now, ZoneOffset.UTC));
    } catch (SignatureVerificationException | RuntimeException e) {
      return false;
    }
  }

  @Override
  public WebhookEvent read(ByteString body) {
    return StripeEvent.read(body);
  }
}
