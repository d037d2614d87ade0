package dev.torg.promotions.provider.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.platform.Money;
import dev.torg.promotions.SandboxCheckout;
import dev.torg.promotions.provider.TestCheckouts;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SandboxPaymentTest {
  private static SandboxPayment payment(SandboxStatus status, long refunded) {
    return new SandboxPayment(
        TestCheckouts.id(), status, 3, TestCheckouts.eur(750), refunded, "Golf", "", List.of());
  }

  @ParameterizedTest
  @CsvSource({
    "PENDING, PAY, PAID",
    "PENDING, DECLINE, DECLINED",
    "DECLINED, PAY, PAID",
    "DECLINED, DECLINE, ''",
    "PAID, PAY, ''",
    "PAID, DECLINE, ''"
  })
  void after_action_followsTheTable(SandboxStatus before, SandboxAction action, String after) {
    Optional<SandboxPayment> changed = payment(before, 0).after(action);
    assertThat(changed.map(payment -> payment.status().name()).orElse("")).isEqualTo(after);
    assertThat(changed.map(SandboxPayment::events).orElse(4)).isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource({
    "PAID, 0, 750, EUR, 750",
    "PAID, 0, 1, EUR, 1",
    "PAID, 500, 250, EUR, 750",
    "PAID, 500, 251, EUR, ",
    "PAID, 0, 751, EUR, ",
    "PAID, 0, 0, EUR, ",
    "PAID, 0, 500, USD, ",
    "PAID, 750, 1, EUR, ",
    "PENDING, 0, 500, EUR, ",
    "DECLINED, 0, 500, EUR, "
  })
  void afterRefund_amount_neverExceedsWhatWasPaid(
      SandboxStatus status, long refunded, long amount, String currency, Long expected) {
    assertThat(
            payment(status, refunded)
                .afterRefund(new Money(amount, currency))
                .map(SandboxPayment::refunded))
        .isEqualTo(Optional.ofNullable(expected));
  }

  @ParameterizedTest
  @CsvSource({
    "PENDING, 0, PENDING",
    "DECLINED, 0, DECLINED",
    "PAID, 0, PAID",
    "PAID, 749, PAID",
    "PAID, 750, REFUNDED"
  })
  void checkout_fullyRefunded_isShownAsRefunded(
      SandboxStatus status, long refunded, SandboxCheckout.Status shown) {
    assertThat(payment(status, refunded).checkout().status()).isEqualTo(shown);
  }

  @Test
  void eventId_hasNoDot() {
    assertThat(payment(SandboxStatus.PAID, 0).eventId()).endsWith("_3").doesNotContain(".");
  }
}
