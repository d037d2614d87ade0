package dev.torg.offers.lifecycle;

import static dev.torg.offers.lifecycle.OfferSituations.ID;
import static dev.torg.offers.lifecycle.OfferSituations.NOW;
import static dev.torg.offers.lifecycle.OfferSituations.change;
import static dev.torg.offers.lifecycle.OfferSituations.effects;
import static dev.torg.offers.lifecycle.OfferSituations.offer;
import static dev.torg.offers.lifecycle.OfferSituations.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer.Status;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemoveByFeedTest {
  private static final RemoveByFeed REMOVE = new RemoveByFeed(ID, NOW);

  @ParameterizedTest
  @CsvSource({
    "ACTIVE,    REMOVED",
    "PENDING,   REMOVED",
    "WITHDRAWN, REMOVED",
    "EXPIRED,   REMOVED",
    "BANNED,    REMOVED",
    "SOLD,      unchanged",
    "REMOVED,   unchanged",
  })
  void decide_byStatus_removesWhatIsNotFinal(Status status, String expected) {
    Situation situation = offer(status).situation();
    assertThat(outcome(REMOVE, situation)).isEqualTo(expected);
    assertThat(effects(REMOVE.decide(situation)))
        .isEqualTo(expected.equals("unchanged") ? List.of() : List.of(new Effect.Dequeued()));
  }

  /// They end by their own event.
  @Test
  void decide_promotedOffer_keepsItsPromotions() {
    Situation promoted = offer(Status.ACTIVE).promotions(5, "premium").situation();
    assertThat(change(REMOVE, promoted).after().getPromotionsList()).containsExactly("premium");
  }
}
