package dev.torg.offers.feed;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UploadSlotsTest {
  private final UploadSlots slots = new UploadSlots(3, 2);

  @Test
  void acquire_byOneSeller_leavesSlotsForOthers() {
    assertThat(slots.acquire("a")).isTrue();
    assertThat(slots.acquire("a")).isTrue();
    assertThat(slots.acquire("a")).isFalse();
    assertThat(slots.acquire("b")).isTrue();
    assertThat(slots.acquire("c")).isFalse();
  }

  @Test
  void release_freesSlot() {
    slots.acquire("a");
    slots.acquire("a");
    slots.release("a");
    assertThat(slots.acquire("a")).isTrue();
    assertThat(slots.acquire("a")).isFalse();
  }
}
