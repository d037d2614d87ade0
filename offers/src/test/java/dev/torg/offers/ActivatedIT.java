package dev.torg.offers;

import static dev.torg.offers.wiring.OffersFixture.await;
import static dev.torg.offers.wiring.OffersFixture.car;
import static dev.torg.offers.wiring.OffersFixture.moderator;
import static dev.torg.offers.wiring.OffersFixture.pet;
import static dev.torg.offers.wiring.OffersFixture.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Opinion;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.offers.wiring.OffersWiring;
import dev.torg.platform.Caller;
import dev.torg.platform.OfferId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Offers by the time of their first activation.
class ActivatedIT {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  private static final Caller SELLER = user("activating");

  private static Offer publish(Caller seller, Offer offer) {
    return await(OFFERS.offers().publish(seller, offer, Optional.empty()));
  }

  private static List<String> activatedAfter(Instant time) {
    try (OffersWiring wiring = OFFERS.wiring(OFFERS.database())) {
      List<String> titles = new ArrayList<>();
      wiring.offers().forEachActivatedAfter(time, offer -> titles.add(offer.getId()));
      return titles;
    }
  }

  private record Scan(List<String> offers, int unreadable, int pages) {}

  private static Scan scan(ActiveOfferFilter filter, Instant after) {
    try (OffersWiring wiring = OFFERS.wiring(OFFERS.database())) {
      List<String> titles = new ArrayList<>();
      int unreadable = 0;
      int pages = 0;
      ActivationCursor at = ActivationCursor.after(after);
      boolean last = false;
      while (!last) {
        ActivatedPage page = wiring.offers().activatedAfter(filter, at);
        page.offers().forEach(offer -> titles.add(offer.getId()));
        unreadable += page.unreadable();
        pages++;
        at = page.next();
        last = page.last();
      }
      return new Scan(titles, unreadable, pages);
    }
  }

  private static Offer carIn(String region) {
    return car("Car", 1).toBuilder().setRegion(region).build();
  }

  private static Offer phoneIn(String region) {
    return Offer.newBuilder()
        .setCategory("electronics")
        .setTitle("Phone")
        .setRegion(region)
        .build();
  }

  @Test
  void activatedAfter_manyOffers_returnsLaterOnesInOrder() {
    publish(SELLER, car("Before", 1));
    Instant start = OFFERS.clock.instant();
    List<String> published = new ArrayList<>();
    for (int i = 0; i < 1_003; i++) {
      published.add(publish(SELLER, car("Car", i)).getId());
    }
    String others = publish(user("another"), car("Car", 1)).getId();
    assertThat(scan(ActiveOfferFilter.ofSeller(SELLER.subject()), start).offers())
        .containsExactlyElementsOf(published);
    assertThat(activatedAfter(start)).containsAll(published).contains(others);
  }

  @Test
  void activatedAfter_pendingOffer_appearsWhenItIsApproved() {
    Instant start = OFFERS.clock.instant();
    Offer pending = publish(SELLER, pet("Cat"));
    assertThat(activatedAfter(start)).doesNotContain(pending.getId());
    Instant later = OFFERS.clock.instant();
    await(
        OFFERS
            .moderation()
            .applyOpinion(
                moderator("m"),
                OfferId.parse(pending.getId()),
                Opinion.newBuilder().setVerdict(Opinion.Verdict.OK).build()));
    assertThat(activatedAfter(later)).contains(pending.getId());
  }

  @Test
  void activatedAfter_categoriesAndRegions_returnsOnlyThose() {
    Instant start = OFFERS.clock.instant();
    String near = publish(SELLER, carIn("de/hessen/65474")).getId();
    publish(SELLER, carIn("de/hessenberg"));
    publish(SELLER, phoneIn("de/hessen"));
    Set<String> regions = Set.of("de/hessen");
    assertThat(
            scan(new ActiveOfferFilter(Set.of("cars"), regions, Optional.empty()), start).offers())
        .containsExactly(near);
    assertThat(scan(new ActiveOfferFilter(Set.of(), regions, Optional.empty()), start).offers())
        .hasSize(2);
    assertThat(
            scan(new ActiveOfferFilter(Set.of("cars"), Set.of(), Optional.empty()), start).offers())
        .hasSize(2);
  }

  @Test
  void activatedAfter_noMatch_reachesEndInBoundedPages() {
    Instant start = OFFERS.clock.instant();
    for (int i = 0; i <= Offers.ACTIVATED_PAGE_SIZE; i++) {
      publish(SELLER, car("Car", i));
    }
    Scan scan = scan(new ActiveOfferFilter(Set.of("pets"), Set.of(), Optional.empty()), start);
    assertThat(scan.offers()).isEmpty();
    assertThat(scan.pages()).isEqualTo(2);
  }

  @Test
  void activatedAfter_unreadableOffer_isCountedAndExcluded() {
    Instant start = OFFERS.clock.instant();
    OfferId broken = OfferId.parse(publish(SELLER, car("Broken", 1)).getId());
    String sound = publish(SELLER, car("Sound", 1)).getId();
    OFFERS
        .database()
        .inTransaction(
            tx ->
                tx.sql("UPDATE offer SET body = ? WHERE home = ? AND id = ? AND kind = 'offer'")
                    .set(new byte[] {-1})
                    .set(broken.home())
                    .set(broken.number())
                    .update());
    Scan scan = scan(ActiveOfferFilter.ALL, start);
    assertThat(scan.offers()).containsExactly(sound);
    assertThat(scan.unreadable()).isEqualTo(1);
  }
}
