package dev.torg.promotions;

import static dev.torg.promotions.PaymentStatus.APPLIED;
import static dev.torg.promotions.PaymentStatus.DECLINED;
import static dev.torg.promotions.PaymentStatus.PAID;
import static dev.torg.promotions.PaymentStatus.PENDING;
import static dev.torg.promotions.PaymentStatus.REFUNDED;
import static dev.torg.promotions.PaymentStatus.REFUND_DUE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PaymentStatusTest {
  private static final Map<PaymentStatus, Set<PaymentStatus>> NEXT =
      new EnumMap<>(
          Map.of(
              PENDING, Set.of(DECLINED, PAID),
              DECLINED, Set.of(PAID),
              PAID, Set.of(APPLIED, REFUND_DUE),
              APPLIED, Set.of(REFUND_DUE),
              REFUND_DUE, Set.of(REFUNDED),
              REFUNDED, Set.of()));

  @Test
  void transitions_areThose_ofTheTable() {
    for (PaymentStatus from : PaymentStatus.values()) {
      for (PaymentStatus to : PaymentStatus.values()) {
        assertThat(from.mayBecome(to))
            .as("%s to %s", from, to)
            .isEqualTo(NEXT.getOrDefault(from, Set.of()).contains(to));
      }
    }
  }

  @Test
  void numbers_readBack() {
    for (PaymentStatus status : PaymentStatus.values()) {
      assertThat(PaymentStatus.ofNumber(status.number())).isEqualTo(status);
    }
  }
}
