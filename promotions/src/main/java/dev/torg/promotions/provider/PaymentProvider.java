package dev.torg.promotions.provider;

import com.google.protobuf.ByteString;
import dev.torg.platform.Money;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.PaymentWebhooks;
import java.time.Instant;

/// Takes the money of a payment. Calls block, so they run on virtual threads and never inside a transaction. Each is
/// idempotent and may be repeated after a failure, also by another process.
public interface PaymentProvider {
  /// The largest webhook that is read. Those of both providers have a few kilobytes.
  int MAX_WEBHOOK_BYTES = PaymentWebhooks.MAX_BYTES;

  /// As in the setting `payment-provider` and in the column `provider` of a payment.
  String name();

  /// Creates the page where the person pays, or returns the one that exists for this payment.
  ///
  /// @throws dev.torg.platform.Failure UNAVAILABLE if the checkout may not exist; INVALID if the provider refuses it
  Checkout createCheckout(CheckoutRequest request);

  /// Asks the provider for the state of a payment, for one whose webhook does not arrive.
  ///
  /// @throws dev.torg.platform.Failure UNAVAILABLE if the provider does not answer
  ProviderPayment status(PaymentId id, String providerReference);

  /// Returns money to the payer. A second call with the same key and amount returns the result of the first one.
  ///
  /// @param refundKey unique for the refund, such as the payment id and a service
  /// @throws dev.torg.platform.Failure UNAVAILABLE if it is not known whether the money was returned; then the same call
  ///     is repeated later
  RefundResult refund(PaymentId id, String providerReference, Money amount, String refundKey);

  /// Checks the signature over the raw body, and then reads the body.
  ///
  /// @throws dev.torg.platform.Failure UNAUTHENTICATED `webhook.signature-invalid` if the signature is missing, wrong or
  ///     too old; INVALID `webhook.too-large` or `webhook.malformed`
  WebhookEvent verify(WebhookRequest request, Instant now);

  /// Reads a body that [#verify] accepted before it was stored.
  ///
  /// @throws dev.torg.platform.Failure INVALID `webhook.malformed`
  WebhookEvent read(ByteString body);
}
