package dev.torg.alerts.match;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.event.AlertContent;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferEvent;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.testkit.TestClock;
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

  private void add(RecentOffersWindow recentOffers, int partition) {
    Offer offer = offer();
    byte[] event = OfferEvent.newBuilder().setAfter(offer).build().toByteArray();
    recentOffers.add(partition, AlertContent.newOffer(offer, Instant.EPOCH), event);
  }

  @Test
  void since_withinTheWindow_isComplete() {
    RecentOffersWindow recentOffers = new RecentOffersWindow(clock, 1 << 20);
    recentOffers.assign(0);
    recentOffers.assign(1);
    add(recentOffers, 0);
    Instant between = clock.instant();
    add(recentOffers, 0);
    add(recentOffers, 1);
    assertThat(recentOffers.since(between).offers()).hasSize(2);
    assertThat(recentOffers.since(between).complete()).isTrue();
    assertThat(recentOffers.since(between).offers())
        .allSatisfy(recentOffer -> assertThat(recentOffer.offer().getDescription()).hasSize(1000));
    recentOffers.revoke(0);
    assertThat(recentOffers.since(between).offers()).hasSize(1);
  }

  @Test
  void since_beforeThePartitionWasAssigned_isNotComplete() {
    RecentOffersWindow recentOffers = new RecentOffersWindow(clock, 1 << 20);
    Instant start = clock.instant();
    clock.advance(Duration.ofMinutes(16));
    recentOffers.assign(0);
    add(recentOffers, 0);
    assertThat(recentOffers.since(start).complete()).isFalse();
    assertThat(recentOffers.since(start.plus(Duration.ofMinutes(2))).complete()).isTrue();
  }

  @Test
  void since_olderThanTheWindow_isNotComplete() {
    RecentOffersWindow recentOffers = new RecentOffersWindow(clock, 1 << 20);
    Instant start = clock.instant();
    add(recentOffers, 0);
    clock.advance(Duration.ofMinutes(16));
    add(recentOffers, 0);
    assertThat(recentOffers.since(start).complete()).isFalse();
    assertThat(recentOffers.since(start).offers()).hasSize(1);
    assertThat(recentOffers.since(clock.instant().minus(Duration.ofMinutes(15))).complete())
        .isTrue();
  }

  @Test
  void add_moreThanFitsInMemory_dropsTheOldest() {
    RecentOffersWindow recentOffers = new RecentOffersWindow(clock, 5_000);
    Instant start = clock.instant();
    for (int i = 0; i < 10; i++) {
      add(recentOffers, 0);
    }
    assertThat(recentOffers.since(start).offers()).hasSizeLessThan(5).isNotEmpty();
    assertThat(recentOffers.since(start).complete()).isFalse();
  }
}
