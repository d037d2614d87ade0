package dev.torg.platform.coalesce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.platform.Failure;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BacklogTest {
  private static final String ADMITTED = "";

  /// A quarter of the capacity, rounded up, or an equal share of few lanes.
  @ParameterizedTest
  @CsvSource({"8, 1, 8", "8, 2, 4", "8, 3, 3", "8, 4, 2", "8, 256, 2", "9, 256, 3"})
  void tryAdmit_oneLane_holdsItsShare(int capacity, int lanes, int share) {
    Backlog backlog = new Backlog("test", capacity, lanes);
    AtomicInteger lane = new AtomicInteger();

    for (int i = 0; i < share; i++) {
      assertThat(admit(backlog, lane, null)).isEqualTo(ADMITTED);
    }
    assertThat(admit(backlog, lane, null)).isEqualTo("test.full");
    assertThat(lane).hasValue(share);
    assertThat(backlog.size()).isEqualTo(share);
  }

  @Test
  void tryAdmit_manyLanes_holdTheCapacityTogether() {
    Backlog backlog = new Backlog("test", 8, 256);
    for (int lane = 0; lane < 4; lane++) {
      AtomicInteger inLane = new AtomicInteger();
      assertThat(admit(backlog, inLane, null)).isEqualTo(ADMITTED);
      assertThat(admit(backlog, inLane, null)).isEqualTo(ADMITTED);
    }
    AtomicInteger fifth = new AtomicInteger();

    assertThat(admit(backlog, fifth, null)).isEqualTo("test.full");
    assertThat(fifth).hasValue(0);
    assertThat(backlog.size()).isEqualTo(8);
  }

  @Test
  void tryAdmit_oneCaller_holdsAQuarterAcrossLanes() {
    Backlog backlog = new Backlog("test", 8, 256);

    assertThat(admit(backlog, new AtomicInteger(), "busy")).isEqualTo(ADMITTED);
    assertThat(admit(backlog, new AtomicInteger(), "busy")).isEqualTo(ADMITTED);
    assertThat(admit(backlog, new AtomicInteger(), "busy")).isEqualTo("test.caller-full");
    assertThat(admit(backlog, new AtomicInteger(), "other")).isEqualTo(ADMITTED);
    assertThat(backlog.size()).isEqualTo(3);
  }

  @Test
  void release_oneOfTwoItems_admitsOneMore() {
    Backlog backlog = new Backlog("test", 8, 256);
    AtomicInteger lane = new AtomicInteger();
    admit(backlog, lane, "busy");
    admit(backlog, lane, "busy");

    backlog.release(lane, "busy");

    AtomicInteger otherLane = new AtomicInteger();
    assertThat(admit(backlog, otherLane, "busy")).isEqualTo(ADMITTED);
    assertThat(admit(backlog, otherLane, "busy")).isEqualTo("test.caller-full");
    assertThat(lane).hasValue(1);
    assertThat(backlog.size()).isEqualTo(2);
  }

  /// A rejected item must not hold a place.
  @Test
  void tryAdmit_rejectedRepeatedly_isAdmittedAfterOneRelease() {
    Backlog backlog = new Backlog("test", 4, 1);
    AtomicInteger lane = new AtomicInteger();
    admit(backlog, lane, "busy");
    for (int i = 0; i < 10; i++) {
      assertThat(admit(backlog, lane, "busy")).isEqualTo("test.caller-full");
    }

    backlog.release(lane, "busy");

    assertThat(admit(backlog, lane, "busy")).isEqualTo(ADMITTED);
  }

  @Test
  void close_itemsWait_rejectsFurtherOnesUntilDrained() {
    Backlog backlog = new Backlog("test", 8, 1);
    AtomicInteger lane = new AtomicInteger();
    admit(backlog, lane, null);
    assertThat(backlog.isClosed()).isFalse();

    backlog.close();

    assertThat(backlog.isClosed()).isTrue();
    assertThat(admit(backlog, lane, null)).isEqualTo("server.stopping");
    assertThat(backlog.isDrained()).isFalse();
    backlog.release(lane, null);
    assertThat(backlog.isDrained()).isTrue();
  }

  @Test
  void isDrained_openAndEmpty_isFalse() {
    assertThat(new Backlog("test", 8, 1).isDrained()).isFalse();
  }

  /// The code of the rejection.
  private static String admit(Backlog backlog, AtomicInteger lane, @Nullable String caller) {
    Failure refused = backlog.tryAdmit(lane, caller);
    return refused == null ? ADMITTED : refused.code();
  }
}
