package dev.torg.offers.feed.format;

import dev.torg.api.v1.Money;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Currency;
import java.util.Locale;

/// A price as shops write it, such as `1 299,90`, in whole units of its currency.
final class PriceText {
  /// Longer than any real price; limits the time to parse a number.
  private static final int MAX_LENGTH = 40;

  private PriceText() {}

  /// `RUR`, the code of the rouble before 1998, is still in use and read as `RUB`.
  static Money of(String price, String currency, String externalId) throws InvalidItemException {
    String code = currency.strip().toUpperCase(Locale.ROOT);
    code = code.equals("RUR") ? "RUB" : code;
    try {
      int digits = Currency.getInstance(code).getDefaultFractionDigits();
      String plain = price.replaceAll("[\\s\\u00a0]", "").replace(',', '.');
      if (plain.length() > MAX_LENGTH) {
        throw new NumberFormatException();
      }
      BigDecimal minor = new BigDecimal(plain).movePointRight(Math.max(0, digits));
      if (minor.precision() - minor.scale() > MAX_LENGTH) {
        throw new NumberFormatException();
      }
      long amount = minor.setScale(0, RoundingMode.UNNECESSARY).longValueExact();
      return Money.newBuilder().setAmount(amount).setCurrency(code).build();
    } catch (ArithmeticException e) {
      throw new InvalidItemException(
          "feed.price", "the price " + price + " has more digits than " + code, externalId);
    } catch (NumberFormatException e) {
      throw new InvalidItemException(
          "feed.price", "the price '" + price + "' is no number", externalId);
    } catch (IllegalArgumentException e) {
      throw new InvalidItemException(
          "feed.price", "the currency '" + currency + "' is not known", externalId);
    }
  }
}
