package dev.torg.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.torg.platform.Failure.Violation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MoneyTest {
  @Test
  void at_badAmountAndCurrency_namesBothByTheirPath() {
    Failure failure = catchThrowableOfType(Failure.class, () -> Money.at("price", -1, "XXZ"));
    assertThat(failure.kind()).isEqualTo(Failure.Kind.INVALID);
    assertThat(failure.violations())
        .extracting(Violation::field)
        .containsExactly("price.amount", "price.currency");
  }

  @ParameterizedTest
  @ValueSource(strings = {"XXX", "XTS", "XAU", "XDR", "XBA", "eur", "EURO", "", "ZZZ"})
  void currency_notInCirculation_isRefused(String code) {
    assertThat(Money.violations("", 1, code)).extracting(Violation::field).contains("currency");
  }

  @ParameterizedTest
  @ValueSource(strings = {"EUR", "RUB", "JPY", "KWD", "XOF", "XPF"})
  void currency_inUse_isAccepted(String code) {
    assertThat(new Money(1, code).currency()).isEqualTo(code);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Money.MAX_AMOUNT + 1, Long.MAX_VALUE, Long.MIN_VALUE})
  void amount_negativeOrAbsurd_isRefused(long amount) {
    assertThat(Money.violations("", amount, "EUR"))
        .extracting(Violation::field)
        .containsExactly("amount");
  }
}
