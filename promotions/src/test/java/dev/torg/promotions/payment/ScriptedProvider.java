package dev.torg.promotions.payment;

import com.google.protobuf.ByteString;
import dev.torg.platform.Failure;
import dev.torg.platform.Money;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.provider.Checkout;
import dev.torg.promotions.provider.CheckoutRequest;
import dev.torg.promotions.provider.PaymentProvider;
import dev.torg.promotions.provider.ProviderPayment;
import dev.torg.promotions.provider.RefundResult;
import dev.torg.promotions.provider.WebhookEvent;
import dev.torg.promotions.provider.WebhookRequest;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// A provider in memory whose payments a test pays. Its webhooks are lines of words: event, kind, payment, amount, currency;
/// the header `signature` is `valid` or not.
final class ScriptedProvider implements PaymentProvider {
  static final Map<String, String> SIGNED = Map.of("signature", "valid");

  private final Map<PaymentId, ProviderPayment> payments = new ConcurrentHashMap<>();
  private final Map<String, Long> refunds = new ConcurrentHashMap<>();
  private final AtomicInteger refundCalls = new AtomicInteger();
  private volatile boolean isAvailable = true;
  private volatile boolean isPendingRefund;
  private volatile Runnable duringStatus = () -> {};

  void setAvailable(boolean available) {
    isAvailable = available;
  }

  void setPendingRefund(boolean pending) {
    isPendingRefund = pending;
  }

  /// Runs while the next call of [#status] is on its way back.
  void duringNextStatus(Runnable action) {
    duringStatus = action;
  }

  int refundCalls() {
    return refundCalls.get();
  }

  /// What was returned of a payment.
  long refunded(PaymentId id) {
    return refunds.entrySet().stream()
        .filter(refund -> refund.getKey().startsWith(id + "-"))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  Map<PaymentId, ProviderPayment> payments() {
    return Map.copyOf(payments);
  }

  /// The person pays. Returns the webhook.
  ByteString pay(PaymentId id, String event) {
    payments.computeIfPresent(
        id,
        (_, payment) ->
            new ProviderPayment(ProviderPayment.State.PAID, payment.amount(), payment.refunded()));
    Money amount =
        Optional.ofNullable(payments.get(id)).flatMap(ProviderPayment::amount).orElseThrow();
    return webhook(event, "PAID", id, amount);
  }

  /// Refused, as far as the provider knows: the person may still pay. Returns the webhook.
  ByteString decline(PaymentId id, String event) {
    ProviderPayment payment = Optional.ofNullable(payments.get(id)).orElseThrow();
    Money amount = payment.amount().orElseThrow();
    payments.put(id, ProviderPayment.of(ProviderPayment.State.DECLINED, amount, 0));
    return webhook(event, "DECLINED", id, amount);
  }

  static ByteString webhook(String event, String kind, PaymentId id, Money amount) {
    return ByteString.copyFromUtf8(
        String.join(
            " ", event, kind, id.text(), Long.toString(amount.amount()), amount.currency()));
  }

  @Override
  public String name() {
    return "scripted";
  }

  @Override
  public Checkout createCheckout(CheckoutRequest request) {
    requireAvailable();
    payments.putIfAbsent(
        request.paymentId(), ProviderPayment.of(ProviderPayment.State.PENDING, request.total(), 0));
    return new Checkout("ref-" + request.paymentId(), "https://pay.example/" + request.paymentId());
  }

  @Override
  public ProviderPayment status(PaymentId id, String providerReference) {
    requireAvailable();
    ProviderPayment known = payments.getOrDefault(id, ProviderPayment.unknown());
    Runnable action = duringStatus;
    duringStatus = () -> {};
    action.run();
    return known;
  }

  @Override
  public RefundResult refund(
      PaymentId id, String providerReference, Money amount, String refundKey) {
    requireAvailable();
    refundCalls.incrementAndGet();
    if (isPendingRefund) {
      return RefundResult.pending(refundKey);
    }
    refunds.putIfAbsent(refundKey, amount.amount());
    return RefundResult.refunded(refundKey);
  }

  private void requireAvailable() {
    if (!isAvailable) {
      throw Failure.unavailable(
          "payment-provider.unavailable", "the payment provider did not answer", null);
    }
  }

  @Override
  public WebhookEvent verify(WebhookRequest request, Instant now) {
    if (!request.header("signature").equals("valid")) {
      throw Failure.unauthenticated("webhook.signature-invalid", "the signature is wrong");
    }
    return read(request.body());
  }

  @Override
  public WebhookEvent read(ByteString body) {
    String[] words = body.toStringUtf8().split(" ", -1);
    return new WebhookEvent(
        words[0],
        WebhookEvent.Kind.valueOf(words[1]),
        Optional.of(new PaymentId(words[2])),
        "ref-" + words[2],
        Optional.of(new Money(Long.parseLong(words[3]), words[4])));
  }
}
