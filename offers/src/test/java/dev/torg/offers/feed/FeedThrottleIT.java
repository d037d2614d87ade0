package dev.torg.offers.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.offers.OfferTopics;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.outbox.OutboxMessage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FeedThrottleIT {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  private final AtomicInteger pauses = new AtomicInteger();
  private boolean busy;
  private final FeedThrottle throttle =
      new FeedThrottle(
          OFFERS.database(), new Outbox(), OFFERS.clock, () -> busy, pauses::incrementAndGet);

  private static void appendEvent(Home home) {
    byte[] payload = {1};
    OutboxMessage event =
        new OutboxMessage(
            home, EpochMicros.of(OFFERS.clock.instant()), OfferTopics.OFFERS, "key", payload);
    OFFERS.database().transact(tx -> new Outbox().append(tx, List.of(event)));
  }

  @AfterEach
  void deleteEvents() {
    for (int group = 0; group < Home.GROUPS; group++) {
      Home home = new Home(group);
      OFFERS
          .database()
          .transact(tx -> tx.sql("DELETE FROM outbox WHERE home = ?").set(home).update());
    }
  }

  private int pausesOf(Home home) {
    int before = pauses.get();
    throttle.throttle(home);
    return pauses.get() - before;
  }

  @Test
  void throttle_recentEvent_doesNotPause() {
    appendEvent(new Home(1));
    assertThat(pausesOf(new Home(1))).isZero();
  }

  /// No relay sends the events. Each queue is awaited once, also if feeds of both groups alternate.
  @Test
  void throttle_twoStalledQueues_waitsForEachOnce() {
    appendEvent(new Home(1));
    appendEvent(new Home(2));
    OFFERS.clock.advance(Duration.ofSeconds(1));
    assertThat(pausesOf(new Home(1))).isPositive();
    assertThat(pausesOf(new Home(2))).isPositive();
    assertThat(pausesOf(new Home(1))).isZero();
    assertThat(pausesOf(new Home(2))).isZero();
  }

  @Test
  void throttle_busyMachine_pausesForALimitedTime() {
    busy = true;
    assertThat(pausesOf(new Home(3))).isEqualTo(12);
  }
}
