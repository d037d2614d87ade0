package dev.torg.promotions.provider.stripe;

import dev.torg.platform.Failure;
import dev.torg.platform.Money;
import java.util.Currency;
import java.util.Locale;
import java.util.Set;

/// Amounts as Stripe writes them. Its minor units are those of ISO 4217, with exceptions that go back to the card
/// networks: some currencies have none at Stripe and two digits elsewhere, or the other way round.
final class StripeAmounts {
  /// https://docs.stripe.com/currencies#zero-decimal
  private static final Set<String> WITHOUT_DIGITS =
      Set.of(
          "BIF", "CLP", "DJF", "GNF", "JPY", "KMF", "KRW", "MGA", "PYG", "RWF", "VND", "VUV", "XAF",
          "XOF", "XPF");

  private static final int USUAL_DIGITS = 2;
  private static final int MAX_DIGITS = 3;

  private StripeAmounts() {}

  /// @throws Failure INVALID if Stripe has no such amount
  static long toStripe(Money money) {
    long factor = factor(money.currency());
    if (factor > 0) {
      return Math.multiplyExact(money.amount(), factor);
    }
    if (money.amount() % -factor != 0) {
      throw Failure.invalid(
          "payment-provider.refused",
          "the payment provider does not take this amount",
          "amount",
          "must be a whole number of " + money.currency());
    }
    return money.amount() / -factor;
  }

  static Money fromStripe(long amount, String stripeCurrency) {
    String currency = stripeCurrency.toUpperCase(Locale.ROOT);
    long factor = factor(currency);
    return new Money(factor > 0 ? amount / factor : Math.multiplyExact(amount, -factor), currency);
  }

  static String currency(Money money) {
    return money.currency().toLowerCase(Locale.ROOT);
  }

  /// Multiplies an amount of Torg's; if negative, divides it.
  private static long factor(String currency) {
    int digits = Currency.getInstance(currency).getDefaultFractionDigits();
    int more = stripeDigits(currency, digits) - digits;
    return more >= 0 ? powerOfTen(more) : -powerOfTen(-more);
  }

  private static int stripeDigits(String currency, int digits) {
    if (WITHOUT_DIGITS.contains(currency)) {
      return 0;
    }
    return digits == MAX_DIGITS ? MAX_DIGITS : USUAL_DIGITS;
  }

  private static long powerOfTen(int digits) {
    long power = 1;
    for (int i = 0; i < digits; i++) {
      power *= 10;
    }
    return power;
  }
}
