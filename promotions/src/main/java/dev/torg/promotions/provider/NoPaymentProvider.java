package dev.torg.promotions.provider;

import com.google.protobuf.ByteString;
import dev.torg.platform.Failure;
import dev.torg.platform.Money;
import dev.torg.promotions.PaymentId;
import java.time.Instant;

/// An installation without payments: everything is refused.
public final class NoPaymentProvider implements PaymentProvider {
  public static final String NAME = "none";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Checkout createCheckout(CheckoutRequest request) {
    throw unconfigured();
  }

  @Override
  public ProviderPayment status(PaymentId id, String providerReference) {
    throw unconfigured();
  }

  @Override
  public RefundResult refund(
      PaymentId id, String providerReference, Money amount, String refundKey) {
    throw unconfigured();
  }

  @Override
  public WebhookEvent verify(WebhookRequest request, Instant now) {
    throw unconfigured();
  }

  @Override
  public WebhookEvent read(ByteString body) {
    throw unconfigured();
  }

  private static Failure unconfigured() {
    return Failure.unavailable(
        "payment-provider.unconfigured", "this installation takes no payments", null);
  }
}
