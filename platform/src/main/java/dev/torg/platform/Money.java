package dev.torg.platform;

import dev.torg.platform.Failure.Violation;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;

/// An amount in the currency's minor units. Never negative: there are prices and payments, but no debts.
public record Money(long amount, String currency) {
  /// Ten trillion euros in cents; a flat in Tehran costs a hundredth of it in the minor units of rials. Above
  /// any real price, far below overflow in sums.
  public static final long MAX_AMOUNT = 1_000_000_000_000_000L;

  public Money {
    refuse(violations("", amount, currency));
  }

  /// The money under the given path of a request, or a failure that names all violations there.
  public static Money at(String path, long amount, String currency) {
    refuse(violations(path + ".", amount, currency));
    return new Money(amount, currency);
  }

  /// All violations, each field with the prefix.
  public static List<Violation> violations(String prefix, long amount, String currency) {
    List<Violation> violations = new ArrayList<>();
    if (amount < 0 || amount > MAX_AMOUNT) {
      violations.add(new Violation(prefix + "amount", "must be between 0 and " + MAX_AMOUNT));
    }
    if (!isCurrency(currency)) {
      violations.add(
          new Violation(prefix + "currency", "must be the ISO 4217 code of a currency like EUR"));
    }
    return violations;
  }

  private static void refuse(List<Violation> violations) {
    if (!violations.isEmpty()) {
      throw Failure.invalid("money.invalid", "not an amount of money", violations);
    }
  }

  /// Codes without minor units are no currencies: XXX for none, XTS for tests, metals, accounting units.
  private static boolean isCurrency(String code) {
    try {
      Currency currency = Currency.getInstance(code);
      return currency.getNumericCode() > 0 && currency.getDefaultFractionDigits() >= 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
