package dev.torg.offers.feed;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UploadSlotsTest {
  private final UploadSlots slots = new UploadSlots(3, 2);

  @Test
  void take_byOneSeller_leavesRoomForOthers() {
    assertThat(slots.take("a")).isTrue();
    assertThat(slots.take("a")).isTrue();
    assertThat(slots.take("a")).isFalse();
    assertThat(slots.take("b")).isTrue();
    assertThat(slots.take("c")).isFalse();
  }

  @Test
  void giveBack_makesRoom() {
    slots.take("a");
    slots.take("a");
    slots.giveBack("a");
    assertThat(slots.take("a")).isTrue();
    assertThat(slots.take("a")).isFalse();
  }
}
