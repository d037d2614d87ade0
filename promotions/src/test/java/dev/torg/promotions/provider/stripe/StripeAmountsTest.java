package dev.torg.promotions.provider.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.platform.Failure;
import dev.torg.platform.Money;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StripeAmountsTest {
  @ParameterizedTest
  @CsvSource({
    "EUR, 750, 750",
    "USD, 1, 1",
    "JPY, 750, 750",
    "KRW, 750, 750",
    "KWD, 1230, 1230",
    "UGX, 7, 700",
    "ISK, 7, 700",
    "HUF, 750, 750",
    "MGA, 500, 5"
  })
  void toStripe_minorUnits_areThoseOfStripe(String currency, long amount, long atStripe) {
    Money money = new Money(amount, currency);
    assertThat(StripeAmounts.toStripe(money)).isEqualTo(atStripe);
    assertThat(StripeAmounts.fromStripe(atStripe, StripeAmounts.currency(money))).isEqualTo(money);
  }

  @Test
  void toStripe_fractionThatStripeDoesNotHave_isRefused() {
    assertThatThrownBy(() -> StripeAmounts.toStripe(new Money(501, "MGA")))
        .isInstanceOf(Failure.class);
  }
}
