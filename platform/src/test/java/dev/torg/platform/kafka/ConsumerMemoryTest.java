package dev.torg.platform.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConsumerMemoryTest {
  private static final long MEGABYTE = 1L << 20;

  private final ConsumerMemory memory = new ConsumerMemory(1_000);
  private final ConsumerMemory.Account busy = memory.open();
  private final ConsumerMemory.Account quiet = memory.open();

  @ParameterizedTest
  @CsvSource({"64, 8", "256, 16", "1024, 64", "4096, 256", "8192, 512", "65536, 512"})
  void ofHeap_anySize_isAShareWithinBounds(long heapMegabytes, long megabytes) {
    assertThat(ConsumerMemory.ofHeap(heapMegabytes * MEGABYTE)).isEqualTo(megabytes * MEGABYTE);
  }

  @Test
  void mustPause_belowTheMaximum_isFalse() {
    busy.add(999);
    assertThat(busy.mustPause()).isFalse();
  }

  @Test
  void mustPause_atTheMaximum_holdsOnlyThoseWithTheirShare() {
    busy.add(900);
    quiet.add(100);
    assertThat(busy.mustPause()).isTrue();
    assertThat(quiet.mustPause()).isFalse();
    busy.release(1);
    assertThat(busy.mustPause()).isFalse();
  }

  @Test
  void mustPause_oneEventLargerThanTheMaximum_isFalseBeforeAndAfterIt() {
    assertThat(busy.mustPause()).isFalse();
    busy.add(5_000);
    assertThat(busy.mustPause()).isTrue();
    assertThat(quiet.mustPause()).isFalse();
    busy.release(5_000);
    assertThat(busy.mustPause()).isFalse();
  }

  @Test
  void close_withBytesHeld_releasesThemOnce() {
    busy.add(700);
    quiet.add(100);
    busy.close();
    busy.close();
    busy.release(700);
    busy.add(10);
    assertThat(memory.heldBytes()).isEqualTo(100);
  }

  @Test
  void limits_smallAndLargeMaximum_staySensible() {
    ConsumerMemory small = new ConsumerMemory(8 * MEGABYTE);
    ConsumerMemory large = new ConsumerMemory(512 * MEGABYTE);
    assertThat(small.maxPollRecords()).isEqualTo(64);
    assertThat(large.maxPollRecords()).isEqualTo(1_000);
    assertThat(small.maxFetchBytes()).isEqualTo(MEGABYTE);
    assertThat(large.maxFetchBytes()).isEqualTo(16 * MEGABYTE);
    assertThat(small.maxPartitionFetchBytes()).isEqualTo(512 * 1024);
    assertThat(large.maxPartitionFetchBytes()).isEqualTo(MEGABYTE);
    assertThat(small.maxBatchBytes()).isEqualTo(MEGABYTE);
    assertThat(large.maxBatchBytes()).isEqualTo(4 * MEGABYTE);
  }
}
