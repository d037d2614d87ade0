package dev.torg.promotions.provider.stripe;

import com.stripe.StripeClient;
import com.stripe.model.Refund;
import com.stripe.net.RequestOptions;
import com.stripe.param.RefundCreateParams;
import com.stripe.param.RefundListParams;
import dev.torg.platform.Failure;
import dev.torg.platform.Money;
import dev.torg.promotions.provider.RefundResult;
import java.util.List;
import java.util.Optional;

/// Refunds. Stripe forgets idempotency keys after a day, so the key is also in the metadata of the refund, where it is
/// looked for first.
final class StripeRefunds {
  static final String REFUND_KEY = "torg_refund";

  /// Stripe's maximum; a payment has fewer services.
  private static final long MAX_REFUNDS = 100;

  private final StripeClient stripe;

  StripeRefunds(StripeClient stripe) {
    this.stripe = stripe;
  }

  /// @param paymentIntent of a paid session
  RefundResult refund(String paymentIntent, Money amount, String refundKey) {
    return find(paymentIntent, refundKey)
        .map(StripeRefunds::result)
        .orElseGet(() -> create(paymentIntent, amount, refundKey));
  }

  private Optional<Refund> find(String paymentIntent, String refundKey) {
    RefundListParams params =
        RefundListParams.builder().setPaymentIntent(paymentIntent).setLimit(MAX_REFUNDS).build();
    List<Refund> refunds = StripeFailures.call(() -> stripe.v1().refunds().list(params)).getData();
    return refunds.stream().filter(refund -> refundKey.equals(key(refund))).findFirst();
  }

  /// Empty for a refund that was made by hand.
  private static String key(Refund refund) {
    return Optional.ofNullable(refund.getMetadata())
        .map(metadata -> metadata.get(REFUND_KEY))
        .orElse("");
  }

  private RefundResult create(String paymentIntent, Money amount, String refundKey) {
    RefundCreateParams params =
        RefundCreateParams.builder()
            .setPaymentIntent(paymentIntent)
            .setAmount(StripeAmounts.toStripe(amount))
            .putMetadata(REFUND_KEY, refundKey)
            .build();
    RequestOptions options =
        RequestOptions.builder().setIdempotencyKey("refund-" + refundKey).build();
    try {
      return result(StripeFailures.call(() -> stripe.v1().refunds().create(params, options)));
    } catch (Failure e) {
      if (e.kind() == Failure.Kind.INVALID) {
        return RefundResult.refused("not-refundable");
      }
      throw e;
    }
  }

  private static RefundResult result(Refund refund) {
    return switch (String.valueOf(refund.getStatus())) {
      case "succeeded" -> RefundResult.refunded(refund.getId());
      case "failed", "canceled" ->
          RefundResult.refused(
              Optional.ofNullable(refund.getFailureReason()).orElse(refund.getStatus()));
      // Pending, or waiting for the payer.
      default -> RefundResult.pending(refund.getId());
    };
  }
}
