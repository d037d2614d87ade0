package dev.torg.notifications.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.notifications.operation.OperationClaimer.Allowance;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SendingSlotsTest {
  private final SendingSlots slots = new SendingSlots(8, () -> Integer.MAX_VALUE);

  @Test
  void reserve_campaignsOccupyThreeQuarters_onlyIndividualMessagesMayFollow() throws Exception {
    slots.reserve(Duration.ZERO);
    slots.release(2);
    assertThat(slots.reserve(Duration.ZERO)).isEqualTo(new Allowance(2, 0));
  }

  @Test
  void release_moreMessagesThanReserved_areInFlightUntilTheyAreSent() throws Exception {
    int messages = 11;
    slots.release(slots.reserve(Duration.ZERO).total() - messages);
    assertThat(slots.inUse()).isEqualTo(messages);
    assertThat(slots.reserve(Duration.ZERO)).isEqualTo(new Allowance(0, 0));
    slots.release(messages);
    assertThat(slots.inUse()).isZero();
    assertThat(slots.reserve(Duration.ZERO).total()).isEqualTo(8);
  }
}
