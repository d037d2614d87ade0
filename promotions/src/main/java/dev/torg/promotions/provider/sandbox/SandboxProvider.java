package dev.torg.promotions.provider.sandbox;

import com.google.protobuf.ByteString;
import dev.torg.platform.Failure;
import dev.torg.platform.Money;
import dev.torg.platform.webhook.WebhookSignature;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.provider.Checkout;
import dev.torg.promotions.provider.CheckoutRequest;
import dev.torg.promotions.provider.MalformedWebhook;
import dev.torg.promotions.provider.PaymentProvider;
import dev.torg.promotions.provider.ProviderPayment;
import dev.torg.promotions.provider.RefundResult;
import dev.torg.promotions.provider.WebhookEvent;
import dev.torg.promotions.provider.WebhookRequest;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/// The sandbox as a payment provider.
public final class SandboxProvider implements PaymentProvider {
  public static final String NAME = "sandbox";

  /// Below the public address of the installation.
  public static final String PAGES = "/sandbox/payments/";

  private final SandboxPayments payments;
  private final String publicUrl;
  private final Supplier<List<WebhookSignature>> signatures;

  /// @param signatures the first one signs; the others were used before keys were rotated
  SandboxProvider(
      SandboxPayments payments, String publicUrl, Supplier<List<WebhookSignature>> signatures) {
    this.payments = payments;
    this.publicUrl = publicUrl;
    this.signatures = signatures;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Checkout createCheckout(CheckoutRequest request) {
    PaymentId id = payments.create(request).id();
    return new Checkout(SandboxPayment.reference(id), publicUrl + PAGES + id);
  }

  @Override
  public ProviderPayment status(PaymentId id, String providerReference) {
    return payments
        .findPayment(id)
        .map(
            payment ->
                ProviderPayment.of(payment.status().state(), payment.total(), payment.refunded()))
        .orElseGet(ProviderPayment::unknown);
  }

  @Override
  public RefundResult refund(
      PaymentId id, String providerReference, Money amount, String refundKey) {
    return payments.refund(id, amount, refundKey);
  }

  @Override
  public WebhookEvent verify(WebhookRequest request, Instant now) {
    if (signatures.get().stream().noneMatch(signature -> isValid(signature, request, now))) {
      throw Failure.unauthenticated(
          "webhook.signature-invalid", "the signature of the webhook is missing, wrong or too old");
    }
    WebhookEvent event = read(request.body());
    if (!event.eventId().equals(request.header(WebhookSignature.ID_HEADER))) {
      throw MalformedWebhook.failure("has another id than the header");
    }
    return event;
  }

  private static boolean isValid(WebhookSignature signature, WebhookRequest request, Instant now) {
    return signature.isValid(
        request.header(WebhookSignature.ID_HEADER),
        request.header(WebhookSignature.TIMESTAMP_HEADER),
        request.body().toByteArray(),
        request.header(WebhookSignature.SIGNATURE_HEADER),
        now);
  }

  @Override
  public WebhookEvent read(ByteString body) {
    return SandboxEvent.read(body);
  }
}
