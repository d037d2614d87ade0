package dev.torg.promotions.payment;

import dev.torg.promotions.PaymentStatus;
import dev.torg.promotions.provider.RefundResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;

/// Metrics of payments in this process.
final class PaymentMetrics {
  private final MeterRegistry registry;

  PaymentMetrics(MeterRegistry registry) {
    this.registry = registry;
    for (ReportOutcome outcome : ReportOutcome.values()) {
      var _ = webhooks(outcome.name());
    }
    for (PaymentStatus status : PaymentStatus.values()) {
      var _ = payments(status);
    }
    for (RefundResult.Outcome outcome : RefundResult.Outcome.values()) {
      var _ = refunds(outcome);
    }
  }

  /// A webhook was stored, or repeats one that was.
  void received(boolean isNew) {
    webhooks(isNew ? "received" : "repeated").increment();
  }

  void refused() {
    webhooks("refused").increment();
  }

  void processed(ReportOutcome outcome) {
    webhooks(outcome.name()).increment();
  }

  void changed(PaymentStatus status) {
    payments(status).increment();
  }

  void refund(RefundResult.Outcome outcome) {
    refunds(outcome).increment();
  }

  private Counter webhooks(String outcome) {
    return Counter.builder("torg.promotions.webhooks")
        .description("Reports of the payment provider, by webhook or when it was asked")
        .tag("outcome", outcome.toLowerCase(Locale.ROOT))
        .register(registry);
  }

  private Counter payments(PaymentStatus status) {
    return Counter.builder("torg.promotions.payments")
        .description("Changes of payments, by the status after the change")
        .tag("status", status.name().toLowerCase(Locale.ROOT))
        .register(registry);
  }

  private Counter refunds(RefundResult.Outcome outcome) {
    return Counter.builder("torg.promotions.refunds")
        .description("Requests to the payment provider to return money")
        .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
        .register(registry);
  }
}
