package dev.torg.platform;

import java.util.Currency;

/// An amount in the currency's minor units. Never negative: Torg knows prices and payments, not
/// debts.
public record Money(long amount, String currency) {
  /// Ten trillion euros in cents: above any honest price, far below overflow in sums.
  public static final long MAX_AMOUNT = 1_000_000_000_000_000L;

  public Money {
    if (amount < 0 || amount > MAX_AMOUNT) {
      throw Failure.invalid(
          "money.amount", "bad amount", "amount", "must be between 0 and " + MAX_AMOUNT);
    }
    if (!isCurrency(currency)) {
      throw Failure.invalid(
          "money.currency", "bad currency", "currency", "must be an ISO 4217 code like EUR");
    }
  }

  private static boolean isCurrency(String code) {
    try {
      return Currency.getInstance(code).getNumericCode() > 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
