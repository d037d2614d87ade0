package dev.torg.alerts.match;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.TestClock;
import dev.torg.alerts.event.AlertContent;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferEvent;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RecentOffersWindowTest {
  private final TestClock clock = new TestClock();

  private static Offer offer() {
    return Offer.newBuilder()
        .setId(OfferId.random(new Home(1)).toString())
        .setDescription("x".repeat(1000))
        .build();
  }

  private void keep(RecentOffersWindow windows, int partition) {
    Offer offer = offer();
    byte[] event = OfferEvent.newBuilder().setAfter(offer).build().toByteArray();
    windows.keep(partition, AlertContent.newOffer(offer, Instant.EPOCH), event);
  }

  @Test
  void since_withinTheWindow_isComplete() {
    RecentOffersWindow windows = new RecentOffersWindow(clock, 1 << 20);
    windows.assign(0);
    windows.assign(1);
    keep(windows, 0);
    Instant between = clock.instant();
    keep(windows, 0);
    keep(windows, 1);
    assertThat(windows.since(between).offers()).hasSize(2);
    assertThat(windows.since(between).complete()).isTrue();
    assertThat(windows.since(between).offers())
        .allSatisfy(kept -> assertThat(kept.offer().getDescription()).hasSize(1000));
    windows.revoke(0);
    assertThat(windows.since(between).offers()).hasSize(1);
  }

  @Test
  void since_beforeThePartitionWasTaken_isNotComplete() {
    RecentOffersWindow windows = new RecentOffersWindow(clock, 1 << 20);
    Instant start = clock.instant();
    clock.advance(Duration.ofMinutes(16));
    windows.assign(0);
    keep(windows, 0);
    assertThat(windows.since(start).complete()).isFalse();
    assertThat(windows.since(start.plus(Duration.ofMinutes(2))).complete()).isTrue();
  }

  @Test
  void since_olderThanTheWindow_isNotComplete() {
    RecentOffersWindow windows = new RecentOffersWindow(clock, 1 << 20);
    Instant start = clock.instant();
    keep(windows, 0);
    clock.advance(Duration.ofMinutes(16));
    keep(windows, 0);
    assertThat(windows.since(start).complete()).isFalse();
    assertThat(windows.since(start).offers()).hasSize(1);
    assertThat(windows.since(clock.instant().minus(Duration.ofMinutes(15))).complete()).isTrue();
  }

  @Test
  void keep_moreThanThereIsMemoryFor_dropsTheOldest() {
    RecentOffersWindow windows = new RecentOffersWindow(clock, 5_000);
    Instant start = clock.instant();
    for (int i = 0; i < 10; i++) {
      keep(windows, 0);
    }
    assertThat(windows.since(start).offers()).hasSizeLessThan(5).isNotEmpty();
    assertThat(windows.since(start).complete()).isFalse();
  }
}
