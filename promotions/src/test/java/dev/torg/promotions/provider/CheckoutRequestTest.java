package dev.torg.promotions.provider;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.platform.Money;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckoutRequestTest {
  @Test
  void new_linesThatAreNotTheTotal_areRefused() {
    assertRefused(TestCheckouts.eur(499), List.of(line(500, "EUR")));
    assertRefused(TestCheckouts.eur(500), List.of(line(500, "USD")));
    assertRefused(TestCheckouts.eur(500), List.of());
    assertRefused(TestCheckouts.eur(0), List.of(line(0, "EUR")));
  }

  private static CheckoutLine line(long amount, String currency) {
    return new CheckoutLine("premium", new Money(amount, currency));
  }

  private static void assertRefused(Money total, List<CheckoutLine> lines) {
    assertThatThrownBy(() -> new CheckoutRequest(TestCheckouts.id(), total, lines, "", ""))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
