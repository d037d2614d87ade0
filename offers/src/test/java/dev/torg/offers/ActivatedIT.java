package dev.torg.offers;

import static dev.torg.offers.TestOffers.await;
import static dev.torg.offers.TestOffers.car;
import static dev.torg.offers.TestOffers.moderator;
import static dev.torg.offers.TestOffers.pet;
import static dev.torg.offers.TestOffers.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Opinion;
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
  @RegisterExtension static final TestOffers OFFERS = new TestOffers();

  private static final Caller SELLER = user("activating");

  private static Offer publish(Caller seller, Offer offer) {
    return await(OFFERS.offers().publish(seller, offer, Optional.empty()));
  }

  private static List<String> activatedAfter(Instant time, Set<String> sellers) {
    try (OffersWiring wiring = OFFERS.wiring(OFFERS.database())) {
      List<String> found = new ArrayList<>();
      wiring.face().activatedAfter(time, sellers, offer -> found.add(offer.getId()));
      return found;
    }
  }

  @Test
  void activatedAfter_manyOffers_showsAllInOrderAndNoneFromBefore() {
    publish(SELLER, car("Before", 1));
    Instant start = OFFERS.clock.instant();
    List<String> published = new ArrayList<>();
    for (int i = 0; i < 1_003; i++) {
      published.add(publish(SELLER, car("Car", i)).getId());
    }
    String others = publish(user("another"), car("Car", 1)).getId();
    assertThat(activatedAfter(start, Set.of(SELLER.subject())))
        .containsExactlyElementsOf(published);
    assertThat(activatedAfter(start, Set.of())).containsAll(published).contains(others);
  }

  @Test
  void activatedAfter_pendingOffer_appearsWhenItIsApproved() {
    Instant start = OFFERS.clock.instant();
    Offer pending = publish(SELLER, pet("Cat"));
    assertThat(activatedAfter(start, Set.of())).doesNotContain(pending.getId());
    Instant later = OFFERS.clock.instant();
    await(
        OFFERS
            .moderation()
            .judge(
                moderator("m"),
                OfferId.parse(pending.getId()),
                Opinion.newBuilder().setVerdict(Opinion.Verdict.OK).build()));
    assertThat(activatedAfter(later, Set.of())).contains(pending.getId());
  }
}
