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
import dev.torg.testkit.CommitCuttingProxy;
import dev.torg.testkit.CommitCuttingProxy.Cut;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/// Calls the provider until the process is dead, which it may become at a call: before the provider has received it, or
/// before the response has arrived.
final class MortalProvider implements PaymentProvider {
  private final ScriptedProvider provider;
  private final CommitCuttingProxy process;
  private final AtomicInteger calls = new AtomicInteger();
  private final int killAt;
  private final Cut cut;

  MortalProvider(ScriptedProvider provider, CommitCuttingProxy process, int killAt, Cut cut) {
    this.provider = provider;
    this.process = process;
    this.killAt = killAt;
    this.cut = cut;
  }

  private <T> T call(Supplier<T> call) {
    boolean isLast = calls.incrementAndGet() == killAt;
    if (isLast && cut == Cut.BEFORE_COMMIT) {
      process.kill();
    }
    requireAlive();
    T result = call.get();
    if (isLast) {
      process.kill();
    }
    requireAlive();
    return result;
  }

  private void requireAlive() {
    if (process.isKilled()) {
      throw Failure.unavailable("dead", "the process is dead", null);
    }
  }

  @Override
  public String name() {
    return provider.name();
  }

  @Override
  public Checkout createCheckout(CheckoutRequest request) {
    return call(() -> provider.createCheckout(request));
  }

  @Override
  public ProviderPayment status(PaymentId id, String providerReference) {
    return call(() -> provider.status(id, providerReference));
  }

  @Override
  public RefundResult refund(
      PaymentId id, String providerReference, Money amount, String refundKey) {
    return call(() -> provider.refund(id, providerReference, amount, refundKey));
  }

  @Override
  public WebhookEvent verify(WebhookRequest request, Instant now) {
    return provider.verify(request, now);
  }

  @Override
  public WebhookEvent read(ByteString body) {
    return provider.read(body);
  }
}
