package dev.torg.promotions.payment;

import dev.torg.platform.Money;
import dev.torg.promotions.PaymentOutcome;
import dev.torg.promotions.PaymentStatus;
import dev.torg.promotions.StoredPayment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A payment that the transaction has locked: the only code that changes its state. Every change of the state leaves an
/// audit entry. Pure; the transaction writes the row and the entries.
final class PaymentInTransaction {
  private final Instant now;
  private final List<AuditEntry> audit = new ArrayList<>();
  private PaymentRow row;
  private boolean isChanged;

  PaymentInTransaction(PaymentRow row, Instant now) {
    this.row = row;
    this.now = now;
  }

  /// The provider has the money. A payment that was paid before is not paid again.
  ReportOutcome paid(Optional<Money> amount, String cause) {
    if (!status().mayBecome(PaymentStatus.PAID)) {
      return ReportOutcome.NO_EFFECT;
    }
    if (!amount.equals(Optional.of(payment().total()))) {
      return ReportOutcome.MISMATCH;
    }
    become(PaymentStatus.PAID, Optional.of(""), cause, "");
    check(Optional.empty());
    return ReportOutcome.CHANGED;
  }

  ReportOutcome declined(String reason, String cause) {
    if (!status().mayBecome(PaymentStatus.DECLINED)) {
      return ReportOutcome.NO_EFFECT;
    }
    become(PaymentStatus.DECLINED, Optional.of(reason), cause, reason);
    check(Optional.empty());
    return ReportOutcome.CHANGED;
  }

  /// What the purpose did with the payment.
  void delivered(PaymentOutcome outcome) {
    switch (outcome) {
      case PaymentOutcome.Delivered() -> use("delivery");
      case PaymentOutcome.PartlyDelivered(long refund, String reason) -> {
        become(PaymentStatus.APPLIED, Optional.of(reason), "delivery", reason);
        refundDue(refund);
      }
      case PaymentOutcome.NotDelivered(String reason) -> refund(reason, "delivery");
      case PaymentOutcome.Kept() -> {}
    }
  }

  /// What was paid for is delivered.
  void use(String cause) {
    become(PaymentStatus.APPLIED, Optional.empty(), cause, "");
  }

  /// Whether what is left can be returned. A refund that the provider has not confirmed must end first.
  boolean isRefundable() {
    return status().mayBecome(PaymentStatus.REFUND_DUE)
        && payment().refundDue() == 0
        && payment().refundable() > 0;
  }

  /// Everything that is left is to be returned.
  void refund(String reason, String cause) {
    become(PaymentStatus.REFUND_DUE, Optional.of(reason), cause, reason);
    refundDue(payment().refundable());
  }

  private void refundDue(long amount) {
    change(row.withRefund(payment().refundDue() + amount, payment().refunded()));
    check(Optional.of(now));
  }

  /// The provider has returned so much of the payment in total. Returns what it returned on its own, beyond what was due.
  long refunded(long total, String cause) {
    StoredPayment before = payment();
    long due = before.refundDue() + before.refunded();
    if (total <= before.refunded()) {
      return 0;
    }
    long kept = Math.min(total, before.total().amount());
    change(row.withRefund(Math.max(0, due - kept), kept));
    if (payment().refundDue() == 0) {
      check(Optional.empty());
    }
    if (kept == before.total().amount()) {
      returned(cause);
    } else {
      record(status(), cause, "returned " + kept + " of " + before.total().amount());
    }
    return Math.max(0, kept - due);
  }

  private void returned(String cause) {
    if (status() != PaymentStatus.REFUND_DUE) {
      become(PaymentStatus.REFUND_DUE, Optional.empty(), cause, "returned by the provider");
    }
    become(PaymentStatus.REFUNDED, Optional.empty(), cause, "");
  }

  void checkout(String providerReference, String url, Instant firstCheck) {
    change(row.withCheckout(providerReference, url));
    record(status(), "purchase", "created at the provider as " + providerReference);
    if (status() == PaymentStatus.PENDING) {
      check(Optional.of(firstCheck));
    }
  }

  /// The job acts again at this time.
  void retry(Instant at) {
    change(row.checkedAt(Optional.of(at), row.attempts() + 1));
  }

  /// No job has anything to do.
  void unchecked() {
    check(Optional.empty());
  }

  private void check(Optional<Instant> at) {
    change(row.checkedAt(at, 0));
  }

  private void become(PaymentStatus status, Optional<String> reason, String cause, String detail) {
    PaymentStatus from = status();
    if (!from.mayBecome(status)) {
      throw new IllegalStateException(payment().id() + " is " + from + ", not yet " + status);
    }
    change(row.withStatus(status, reason));
    record(from, cause, detail);
  }

  private void record(PaymentStatus from, String cause, String detail) {
    change(row.audited());
    audit.add(new AuditEntry(payment().id(), row.audits(), from, status(), now, cause, detail));
  }

  private void change(PaymentRow changed) {
    row = changed;
    isChanged = true;
  }

  PaymentRow row() {
    return row;
  }

  StoredPayment payment() {
    return row.payment();
  }

  PaymentStatus status() {
    return payment().status();
  }

  boolean isChanged() {
    return isChanged;
  }

  /// Whether the status has changed.
  boolean isTransition() {
    return audit.stream().anyMatch(entry -> entry.from() != entry.to());
  }

  List<AuditEntry> audit() {
    return List.copyOf(audit);
  }
}
