package dev.torg.promotions;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/// The states of a payment. This is the only place that states which may follow which.
///
/// Webhooks are late, repeated and reordered: DECLINED may become PAID, and a paid payment is never declined.
public enum PaymentStatus {
  /// Waits for the payer. The provider may not know it yet.
  PENDING(1),
  /// Refused by the provider, or not paid in time.
  DECLINED(2),
  /// The provider has the money; what it pays for has not been delivered yet.
  PAID(3),
  /// What it pays for was delivered, completely or in part.
  APPLIED(4),
  /// All of the money is to be returned; the provider has not confirmed it yet.
  REFUND_DUE(5),
  /// All of the money was returned.
  REFUNDED(6);

  private final int number;

  PaymentStatus(int number) {
    this.number = number;
  }

  /// In the database; never changed.
  public int number() {
    return number;
  }

  public static PaymentStatus ofNumber(int number) {
    return Arrays.stream(values())
        .filter(status -> status.number == number)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no status of a payment: " + number));
  }

  public Set<PaymentStatus> next() {
    return switch (this) {
      case PENDING -> EnumSet.of(DECLINED, PAID);
      case DECLINED -> EnumSet.of(PAID);
      case PAID -> EnumSet.of(APPLIED, REFUND_DUE);
      case APPLIED -> EnumSet.of(REFUND_DUE);
      case REFUND_DUE -> EnumSet.of(REFUNDED);
      case REFUNDED -> EnumSet.noneOf(PaymentStatus.class);
    };
  }

  public boolean mayBecome(PaymentStatus later) {
    return next().contains(later);
  }
}
