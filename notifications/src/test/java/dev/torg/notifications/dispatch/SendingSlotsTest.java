package dev.torg.notifications.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Stopwatch;
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
  void awaitBulk_campaignsOccupyThreeQuarters_waitsForASlotOrTheTime() throws Exception {
    slots.reserve(Duration.ZERO);
    slots.release(2);
    Stopwatch time = Stopwatch.createStarted();
    slots.awaitBulk(Duration.ofMillis(50));
    assertThat(time.elapsed()).isGreaterThanOrEqualTo(Duration.ofMillis(50));
    Thread sent = Thread.ofVirtual().start(() -> slots.release(1));
    slots.awaitBulk(Duration.ofMinutes(1));
    assertThat(slots.inUse()).isEqualTo(5);
    sent.join();
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

  @Test
  void reserve_fewSlotsBecameFree_waitsForFurtherOnesForAShortTime() throws Exception {
    SendingSlots many = new SendingSlots(64, () -> Integer.MAX_VALUE);
    many.reserve(Duration.ZERO);
    many.release(1);
    Stopwatch time = Stopwatch.createStarted();
    assertThat(many.reserve(Duration.ofMinutes(1)).total()).isEqualTo(1);
    assertThat(time.elapsed()).isBetween(Duration.ofMillis(100), Duration.ofSeconds(30));
  }

  @Test
  void reserve_enoughSlotsBecomeFree_isWokenOnceThereAreEnough() throws Exception {
    SendingSlots many = new SendingSlots(64, () -> Integer.MAX_VALUE);
    many.reserve(Duration.ZERO);
    Thread sent = Thread.ofVirtual().start(() -> many.release(8));
    assertThat(many.reserve(Duration.ofMinutes(1)).total()).isEqualTo(8);
    sent.join();
  }

  @Test
  void reserve_fewSlotsForCampaigns_leavesThemUntilThereAreEnoughForAClaim() throws Exception {
    SendingSlots many = new SendingSlots(64, () -> Integer.MAX_VALUE);
    many.reserve(Duration.ZERO);
    many.release(23);
    assertThat(many.reserve(Duration.ZERO)).isEqualTo(new Allowance(23, 0));
    many.release(24);
    assertThat(many.reserve(Duration.ZERO)).isEqualTo(new Allowance(24, 8));
  }
}
