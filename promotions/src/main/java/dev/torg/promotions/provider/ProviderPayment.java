package dev.torg.promotions.provider;

import dev.torg.platform.Money;

/// A payment as the provider knows it.
///
/// @param amount what is to be paid, or was
/// @param refunded what was returned of it
public record ProviderPayment(State state, Money amount, Money refunded) {
  public enum State {
    /// Not paid yet; it still can be.
    PENDING,
    PAID,
    /// Refused or expired.
    DECLINED,
    /// The provider has no such payment. The amounts are zero.
    UNKNOWN
  }

  /// A payment that the provider does not have.
  public static ProviderPayment unknown(String currency) {
    return new ProviderPayment(State.UNKNOWN, new Money(0, currency), new Money(0, currency));
  }
}
