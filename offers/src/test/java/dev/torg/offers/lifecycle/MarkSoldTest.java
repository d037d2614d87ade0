package dev.torg.offers.lifecycle;

import static dev.torg.offers.lifecycle.OfferSituations.HIDDEN;
import static dev.torg.offers.lifecycle.OfferSituations.ID;
import static dev.torg.offers.lifecycle.OfferSituations.MODERATOR;
import static dev.torg.offers.lifecycle.OfferSituations.NOW;
import static dev.torg.offers.lifecycle.OfferSituations.OTHER_USER;
import static dev.torg.offers.lifecycle.OfferSituations.OWNER;
import static dev.torg.offers.lifecycle.OfferSituations.change;
import static dev.torg.offers.lifecycle.OfferSituations.offer;
import static dev.torg.offers.lifecycle.OfferSituations.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.offers.part.PromotionsPart;
import dev.torg.platform.Caller;
import dev.torg.platform.Money;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MarkSoldTest {
  private static final Money REQUESTED = new Money(70, "USD");

  @ParameterizedTest
  @CsvSource({
    "ACTIVE,    SOLD",
    "PENDING,   offer.illegal-transition",
    "WITHDRAWN, offer.illegal-transition",
    "EXPIRED,   offer.illegal-transition",
    "BANNED,    offer.illegal-transition",
    "SOLD,      offer.illegal-transition",
    "REMOVED,   offer.illegal-transition",
  })
  void decide_byStatus(Status status, String expected) {
    assertThat(outcome(sold(OWNER, Optional.empty(), true), offer(status).situation()))
        .isEqualTo(expected);
  }

  @Test
  void decide_soldHere_countsRequestedPriceOrOfferPrice() {
    Situation priced = offer(Status.ACTIVE).price(100).situation();
    assertThat(change(sold(OWNER, Optional.of(REQUESTED), true), priced).effects())
        .containsExactly(new Effect.Sold(Optional.of(REQUESTED)));
    assertThat(change(sold(OWNER, Optional.empty(), true), priced).effects())
        .containsExactly(new Effect.Sold(Optional.of(new Money(100, "EUR"))));
  }

  @Test
  void decide_soldHereWithoutPrice_countsSaleWithoutProceeds() {
    OfferSituations offer = offer(Status.ACTIVE);
    Offer free = offer.shown().toBuilder().clearPrice().build();
    Situation situation =
        new Situation(
            Optional.of(new StoredOffer(ID, 1, 1, free)),
            offer.situation().moderation(),
            offer.situation().photos(),
            PromotionsPart.getDefaultInstance(),
            Optional.empty());
    assertThat(change(sold(OWNER, Optional.empty(), true), situation).effects())
        .containsExactly(new Effect.Sold(Optional.empty()));
  }

  @Test
  void decide_soldElsewhere_isNotCounted() {
    Situation situation = offer(Status.ACTIVE).situation();
    assertThat(change(sold(OWNER, Optional.of(REQUESTED), false), situation).effects()).isEmpty();
  }

  /// It stays public, so it stays in the moderation queue, and it does not count as an edit.
  @Test
  void decide_unapprovedOffer_changesTheStatusAlone() {
    OfferSituations before = offer(Status.ACTIVE).in(HIDDEN);
    Decision.Change change = change(sold(OWNER, Optional.empty(), false), before.situation());
    assertThat(change.after().build())
        .isEqualTo(before.shown().toBuilder().setStatus(Status.SOLD).build());
    assertThat(change.edited()).isFalse();
    assertThat(change.effects()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "ACTIVE,    offer.not-yours, offer.not-yours",
    "SOLD,      offer.not-yours, offer.not-yours",
    "WITHDRAWN, offer.not-found, offer.not-yours",
  })
  void decide_byAnotherCaller_isRefused(Status status, String otherUser, String moderator) {
    Situation situation = offer(status).situation();
    assertThat(outcome(sold(OTHER_USER, Optional.empty(), true), situation)).isEqualTo(otherUser);
    assertThat(outcome(sold(MODERATOR, Optional.empty(), true), situation)).isEqualTo(moderator);
  }

  private static MarkSold sold(Caller caller, Optional<Money> price, boolean soldHere) {
    return new MarkSold(ID, caller, price, soldHere, NOW);
  }
}
