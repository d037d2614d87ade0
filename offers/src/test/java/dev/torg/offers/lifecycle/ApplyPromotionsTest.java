package dev.torg.offers.lifecycle;

import static dev.torg.offers.lifecycle.OfferSituations.HIDDEN;
import static dev.torg.offers.lifecycle.OfferSituations.ID;
import static dev.torg.offers.lifecycle.OfferSituations.NOW;
import static dev.torg.offers.lifecycle.OfferSituations.change;
import static dev.torg.offers.lifecycle.OfferSituations.effect;
import static dev.torg.offers.lifecycle.OfferSituations.noChange;
import static dev.torg.offers.lifecycle.OfferSituations.offer;
import static dev.torg.offers.lifecycle.OfferSituations.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.offers.part.PromotionsPart;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ApplyPromotionsTest {
  /// The number of the last applied event and the shown services; an event; the services shown after it, and the number
  /// recorded (0: none).
  @ParameterizedTest
  @CsvSource({
    "0, '',            5, premium,       premium,       5",
    "0, '',            5, raise premium, raise premium, 5",
    "5, premium,       6, '',            '',            6",
    "5, premium,       6, raise,         raise,         6",
    "5, raise premium, 6, premium raise, premium raise, 6",
    "5, premium,       6, premium,       unchanged,     6",
    "0, '',            5, '',            unchanged,     5",
    "5, premium,       5, '',            unchanged,     0",
    "5, premium,       4, raise,         unchanged,     0",
  })
  void decide_onlyHigherNumber_isApplied(
      long last, String shown, long seq, String services, String expected, long recorded) {
    Situation situation = offer(Status.ACTIVE).promotions(last, names(shown)).situation();
    Decision decision = apply(seq, names(services)).decide(situation);
    switch (decision) {
      case Decision.Change change ->
          assertThat(change.after().getPromotionsList()).containsExactly(names(expected));
      case Decision.NoChange _ -> assertThat(expected).isEqualTo("unchanged");
      case Decision.ExistingOffer _ -> throw new AssertionError();
    }
    List<Effect> effects = OfferSituations.effects(decision);
    assertThat(effects)
        .isEqualTo(
            recorded == 0
                ? List.of()
                : List.of(
                    new Effect.PromotionsChanged(
                        PromotionsPart.newBuilder().setSeq(recorded).build())));
  }

  /// Whatever the status and the category: promotions are not reviewed, and a removed offer loses them.
  @ParameterizedTest
  @EnumSource(
      value = Status.class,
      names = {"STATUS_UNSPECIFIED", "UNRECOGNIZED"},
      mode = EnumSource.Mode.EXCLUDE)
  void decide_anyStatus_changesNothingElse(Status status) {
    for (String category : List.of(OfferSituations.OPEN, HIDDEN, OfferSituations.VISIBLE)) {
      Offer before = offer(status).in(category).promotions(5, "premium").shown();
      Decision.Change change =
          change(
              apply(6, "raise"), offer(status).in(category).promotions(5, "premium").situation());
      assertThat(change.after().build())
          .isEqualTo(before.toBuilder().clearPromotions().addPromotions("raise").build());
      assertThat(change.edited()).isFalse();
      assertThat(change.silent()).isFalse();
      assertThat(OfferSituations.queue(change)).isEmpty();
      assertThat(effect(change, Effect.PromotionsChanged.class).part().getSeq()).isEqualTo(6);
    }
  }

  @Test
  void decide_noSuchOffer_isNotFound() {
    assertThat(outcome(apply(5, "raise"), OfferSituations.none())).isEqualTo("offer.not-found");
    assertThat(apply(5, "raise").needsPromotions()).isTrue();
    assertThat(apply(5, "raise").needsPhotos()).isFalse();
    assertThat(noChange(apply(5), offer(Status.ACTIVE).situation()).effects()).hasSize(1);
  }

  private static ApplyPromotions apply(long seq, String... services) {
    return new ApplyPromotions(ID, List.of(services), seq, NOW);
  }

  private static String[] names(String text) {
    return text.isEmpty() ? new String[0] : text.split(" ");
  }
}
