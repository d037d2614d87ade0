package dev.torg.offers.life;

import static dev.torg.offers.life.OfferSituations.ID;
import static dev.torg.offers.life.OfferSituations.NOW;
import static dev.torg.offers.life.OfferSituations.effects;
import static dev.torg.offers.life.OfferSituations.offer;
import static dev.torg.offers.life.OfferSituations.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer.Status;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TakeAwayTest {
  private static final TakeAway REMOVE = new TakeAway(ID, NOW);

  @ParameterizedTest
  @CsvSource({
    "ACTIVE,    REMOVED",
    "PENDING,   REMOVED",
    "WITHDRAWN, REMOVED",
    "EXPIRED,   REMOVED",
    "BANNED,    REMOVED",
    "SOLD,      keep",
    "REMOVED,   keep",
  })
  void decide_byStatus_removesWhatIsNotFinal(Status status, String expected) {
    Situation situation = offer(status).situation();
    assertThat(outcome(REMOVE, situation)).isEqualTo(expected);
    assertThat(effects(REMOVE.decide(situation)))
        .isEqualTo(expected.equals("keep") ? List.of() : List.of(new Effect.Unqueued()));
  }
}
