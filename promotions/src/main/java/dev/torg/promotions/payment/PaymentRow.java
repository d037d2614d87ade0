package dev.torg.promotions.payment;

import dev.torg.promotions.PaymentStatus;
import dev.torg.promotions.StoredPayment;
import java.time.Instant;
import java.util.Optional;

/// A row of `payment`.
///
/// @param audits the number of the last audit row
/// @param attempts of the job at its current work
/// @param checkAt when a job acts on it next
record PaymentRow(StoredPayment payment, int audits, int attempts, Optional<Instant> checkAt) {
  PaymentRow withStatus(PaymentStatus status, Optional<String> reason) {
    return with(
        new StoredPayment(
            payment.id(),
            payment.payer(),
            payment.purpose(),
            payment.reference(),
            status,
            payment.provider(),
            payment.providerReference(),
            payment.url(),
            payment.total(),
            payment.refundDue(),
            payment.refunded(),
            reason.or(payment::reason),
            payment.createdAt(),
            payment.description(),
            payment.lines()));
  }

  PaymentRow withRefund(long due, long refunded) {
    return with(
        new StoredPayment(
            payment.id(),
            payment.payer(),
            payment.purpose(),
            payment.reference(),
            payment.status(),
            payment.provider(),
            payment.providerReference(),
            payment.url(),
            payment.total(),
            due,
            refunded,
            payment.reason(),
            payment.createdAt(),
            payment.description(),
            payment.lines()));
  }

  PaymentRow withCheckout(String providerReference, String url) {
    return with(
        new StoredPayment(
            payment.id(),
            payment.payer(),
            payment.purpose(),
            payment.reference(),
            payment.status(),
            payment.provider(),
            Optional.of(providerReference),
            Optional.of(url),
            payment.total(),
            payment.refundDue(),
            payment.refunded(),
            payment.reason(),
            payment.createdAt(),
            payment.description(),
            payment.lines()));
  }

  PaymentRow checkedAt(Optional<Instant> at, int newAttempts) {
    return new PaymentRow(payment, audits, newAttempts, at);
  }

  PaymentRow audited() {
    return new PaymentRow(payment, audits + 1, attempts, checkAt);
  }

  private PaymentRow with(StoredPayment changed) {
    return new PaymentRow(changed, audits, attempts, checkAt);
  }
}
