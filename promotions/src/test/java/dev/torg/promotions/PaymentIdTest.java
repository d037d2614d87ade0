package dev.torg.promotions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PaymentIdTest {
  private static final Home HOME = new Home(7);

  @Test
  void id_isTheSame_forTheSameKey_andContainsItsHome() {
    PaymentId id = PaymentId.of(HOME, "user:1", "PROMOTION", "key");
    assertThat(id).isEqualTo(PaymentId.of(HOME, "user:1", "PROMOTION", "key"));
    assertThat(id.home()).isEqualTo(HOME);
    assertThat(id.text()).matches("007[a-z2-7]{26}");
    assertThat(new PaymentId(id.toString())).isEqualTo(id);
  }

  @Test
  void id_differs_byCaller_byPurpose_andByKey() {
    PaymentId id = PaymentId.of(HOME, "user:1", "PROMOTION", "key");
    assertThat(id)
        .isNotEqualTo(PaymentId.of(HOME, "user:2", "PROMOTION", "key"))
        .isNotEqualTo(PaymentId.of(HOME, "user:1", "TOP_UP", "key"))
        .isNotEqualTo(PaymentId.of(HOME, "user:1", "PROMOTION", "key2"))
        .isNotEqualTo(PaymentId.of(HOME, "user:1P", "ROMOTION", "key"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "007",
        "256abcdefghijklmnopqrstuvwxyz",
        "007ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "007abcdefghijklmnopqrstuvwxy1",
        "007abcdefghijklmnopqrstuvwxyza"
      })
  void text_ofAnotherForm_isRefused(String text) {
    assertThatThrownBy(() -> new PaymentId(text)).isInstanceOf(Failure.class);
  }
}
