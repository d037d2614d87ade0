package dev.torg.promotions.provider;

import dev.torg.platform.Money;
import java.util.Optional;

/// A payment as the provider knows it.
///
/// @param amount what is to be paid, or was; empty if the provider does not know the payment
/// @param refunded what was returned of it, in minor units of the same currency
public record ProviderPayment(State state, Optional<Money> amount, long refunded) {
  public enum State {
    /// Not paid yet; it still can be.
    PENDING,
    PAID,
    /// Refused or expired.
    DECLINED,
    /// The provider has no such payment.
    UNKNOWN
  }

  public static ProviderPayment of(State state, Money amount, long refunded) {
    return new ProviderPayment(state, Optional.of(amount), refunded);
  }

  public static ProviderPayment unknown() {
    return new ProviderPayment(State.UNKNOWN, Optional.empty(), 0);
  }
}
