package dev.torg.matching;

import java.util.Locale;

/// A price range in minor units of one currency, both ends inclusive; the ends of `long` mean open. An offer in
/// another currency does not match.
public record PriceBounds(String currency, long from, long to) {
  public PriceBounds {
    currency = currency.toUpperCase(Locale.ROOT);
    if (currency.length() != 3 || !currency.chars().allMatch(c -> c >= 'A' && c <= 'Z')) {
      throw new InvalidQuery("price", "The price range needs a currency of three letters.");
    }
    if (from > to) {
      throw new InvalidQuery("price", "The price range's lower end is above its upper end.");
    }
  }

  boolean isOpen() {
    return from == Long.MIN_VALUE && to == Long.MAX_VALUE;
  }

  /// The numeric field that holds prices in this currency.
  public String field() {
    return field(currency);
  }

  static String field(String currency) {
    return "price:" + currency;
  }
}
