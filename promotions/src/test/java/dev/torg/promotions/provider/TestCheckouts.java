package dev.torg.promotions.provider;

import dev.torg.platform.Home;
import dev.torg.platform.Money;
import dev.torg.promotions.PaymentId;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// Checkouts, each of another payment.
public final class TestCheckouts {
  private static final AtomicLong NUMBERS = new AtomicLong();

  private TestCheckouts() {}

  public static PaymentId id() {
    String payer = "user:" + NUMBERS.incrementAndGet();
    return PaymentId.of(Home.of(payer), payer, "PROMOTION", "key");
  }

  /// Two services for 5.00 and 2.50 euros.
  public static CheckoutRequest request() {
    return request(id());
  }

  public static CheckoutRequest request(PaymentId id) {
    return request(id, eur(500), eur(250));
  }

  public static CheckoutRequest request(PaymentId id, Money first, Money second) {
    return new CheckoutRequest(
        id,
        new Money(first.amount() + second.amount(), first.currency()),
        List.of(new CheckoutLine("premium", first), new CheckoutLine("raise", second)),
        "VW Golf, one owner",
        "https://shop.example/offers/1");
  }

  public static Money eur(long cents) {
    return new Money(cents, "EUR");
  }
}
