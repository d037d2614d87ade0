package dev.torg.offers.feed;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DemandByBytesTest {
  private final DemandByBytes demand = new DemandByBytes(4, 100);

  @Test
  void start_requestsOneMessage() {
    assertThat(demand.start()).isOne();
  }

  @Test
  void smallMessages_areRequestedUntilFourAreQueued() {
    demand.start();
    assertThat(demand.queued(1)).isOne();
    assertThat(demand.queued(1)).isOne();
    assertThat(demand.queued(1)).isOne();
    assertThat(demand.queued(1)).isZero();
    assertThat(demand.consumed(1)).isOne();
    assertThat(demand.consumed(1)).isZero();
  }

  @Test
  void largeMessage_stopsRequestsUntilConsumed() {
    demand.start();
    assertThat(demand.queued(8_000_000)).isZero();
    assertThat(demand.consumed(8_000_000)).isOne();
  }
}
