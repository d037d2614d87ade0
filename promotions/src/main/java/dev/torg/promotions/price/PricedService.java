package dev.torg.promotions.price;

import dev.torg.platform.Money;
import java.time.Duration;

/// What a service costs for an offer, and how long it lasts.
public record PricedService(Money price, Duration duration) {
  /// Ten billion euros in cents: the sum of a quote's prices is an amount of money, too.
  public static final long MAX_AMOUNT = 1_000_000_000_000L;

  public static final Duration MIN_DURATION = Duration.ofMinutes(1);
  public static final Duration MAX_DURATION = Duration.ofDays(366);

  public PricedService {
    if (!isPrice(price.amount())) {
      throw new IllegalArgumentException("not the price of a service: " + price);
    }
    if (!isDuration(duration)) {
      throw new IllegalArgumentException("not the duration of a service: " + duration);
    }
  }

  /// Nothing is sold for nothing: payment providers refuse an empty payment.
  public static boolean isPrice(long amount) {
    return amount >= 1 && amount <= MAX_AMOUNT;
  }

  /// A whole number of seconds.
  public static boolean isDuration(Duration duration) {
    return duration.compareTo(MIN_DURATION) >= 0
        && duration.compareTo(MAX_DURATION) <= 0
        && duration.getNano() == 0;
  }
}
