package dev.torg.promotions.payment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.platform.Home;
import dev.torg.platform.Money;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.PaymentLine;
import dev.torg.promotions.PaymentOutcome;
import dev.torg.promotions.PaymentStatus;
import dev.torg.promotions.StoredPayment;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PaymentInTransactionTest {
  private static final Instant NOW = Instant.parse("2026-05-04T10:00:00Z");
  private static final Money TOTAL = new Money(500, "EUR");

  private final PaymentInTransaction payment = payment(PaymentStatus.PENDING);

  private static PaymentInTransaction payment(PaymentStatus status) {
    StoredPayment stored =
        new StoredPayment(
            PaymentId.of(new Home(1), "user:1", "PROMOTION", "key"),
            "user:1",
            "PROMOTION",
            "offer",
            status,
            "test",
            Optional.of("ref"),
            Optional.of("url"),
            TOTAL,
            0,
            0,
            Optional.empty(),
            NOW,
            "Test",
            List.of(PaymentLine.of("raise", TOTAL)));
    return new PaymentInTransaction(new PaymentRow(stored, 0, 0, Optional.of(NOW)), NOW);
  }

  @Test
  void paid_changesOnce_andLeavesAnAuditEntry() {
    assertThat(payment.paid(Optional.of(TOTAL), "webhook 1")).isEqualTo(ReportOutcome.CHANGED);
    assertThat(payment.paid(Optional.of(TOTAL), "webhook 2")).isEqualTo(ReportOutcome.NO_EFFECT);
    assertThat(payment.declined("late", "webhook 3")).isEqualTo(ReportOutcome.NO_EFFECT);
    assertThat(payment.status()).isEqualTo(PaymentStatus.PAID);
    assertThat(payment.row().checkAt()).isEmpty();
    assertThat(payment.audit())
        .extracting(AuditEntry::n, AuditEntry::from, AuditEntry::to, AuditEntry::cause)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(
                1, PaymentStatus.PENDING, PaymentStatus.PAID, "webhook 1"));
  }

  @Test
  void paid_withAnotherAmountOrCurrencyOrNone_changesNothing() {
    assertThat(payment.paid(Optional.of(new Money(499, "EUR")), "w"))
        .isEqualTo(ReportOutcome.MISMATCH);
    assertThat(payment.paid(Optional.of(new Money(500, "USD")), "w"))
        .isEqualTo(ReportOutcome.MISMATCH);
    assertThat(payment.paid(Optional.empty(), "w")).isEqualTo(ReportOutcome.MISMATCH);
    assertThat(payment.isChanged()).isFalse();
  }

  @Test
  void declined_canBePaidLater() {
    assertThat(payment.declined("declined", "w")).isEqualTo(ReportOutcome.CHANGED);
    assertThat(payment.paid(Optional.of(TOTAL), "w")).isEqualTo(ReportOutcome.CHANGED);
    assertThat(payment.payment().reason()).contains("");
  }

  @Test
  void delivered_inPart_isAppliedWithARefundDue() {
    var _ = payment.paid(Optional.of(TOTAL), "w");
    payment.delivered(new PaymentOutcome.PartlyDelivered(200, "sold"));
    assertThat(payment.status()).isEqualTo(PaymentStatus.APPLIED);
    assertThat(payment.payment().refundDue()).isEqualTo(200);
    assertThat(payment.row().checkAt()).contains(NOW);
    assertThat(payment.isRefundable()).isFalse();
    assertThat(payment.refunded(200, "refund")).isZero();
    assertThat(payment.status()).isEqualTo(PaymentStatus.APPLIED);
    assertThat(payment.payment().refunded()).isEqualTo(200);
    assertThat(payment.row().checkAt()).isEmpty();
    assertThat(payment.isRefundable()).isTrue();
    payment.refund("admin", "refund");
    assertThat(payment.payment().refundDue()).isEqualTo(300);
  }

  @Test
  void unchecked_keepsARefundThatIsDue() {
    var _ = payment.paid(Optional.of(TOTAL), "w");
    payment.delivered(new PaymentOutcome.NotDelivered("sold"));
    payment.unchecked();
    assertThat(payment.row().checkAt()).contains(NOW);
  }

  @Test
  void notDelivered_isRefundedCompletely() {
    var _ = payment.paid(Optional.of(TOTAL), "w");
    payment.delivered(new PaymentOutcome.NotDelivered("sold"));
    assertThat(payment.status()).isEqualTo(PaymentStatus.REFUND_DUE);
    assertThat(payment.payment().refundDue()).isEqualTo(500);
    assertThat(payment.refunded(500, "refund")).isZero();
    assertThat(payment.status()).isEqualTo(PaymentStatus.REFUNDED);
    assertThat(payment.refunded(500, "again")).isZero();
    assertThat(payment.payment().refundDue()).isZero();
  }

  @Test
  void refundAtTheProvider_isReportedAsUnexpected() {
    var _ = payment.paid(Optional.of(TOTAL), "w");
    payment.delivered(new PaymentOutcome.Delivered());
    assertThat(payment.refunded(500, "dashboard")).isEqualTo(500);
    assertThat(payment.status()).isEqualTo(PaymentStatus.REFUNDED);
  }

  @Test
  void kept_staysPaid() {
    var _ = payment.paid(Optional.of(TOTAL), "w");
    payment.delivered(new PaymentOutcome.Kept());
    assertThat(payment.status()).isEqualTo(PaymentStatus.PAID);
  }
}
