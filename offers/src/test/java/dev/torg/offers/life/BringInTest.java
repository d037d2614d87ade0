package dev.torg.offers.life;

import static dev.torg.offers.life.OfferSituations.DAY;
import static dev.torg.offers.life.OfferSituations.FULL_TERM;
import static dev.torg.offers.life.OfferSituations.HIDDEN;
import static dev.torg.offers.life.OfferSituations.ID;
import static dev.torg.offers.life.OfferSituations.NOW;
import static dev.torg.offers.life.OfferSituations.OPEN;
import static dev.torg.offers.life.OfferSituations.OWNER;
import static dev.torg.offers.life.OfferSituations.TERMS;
import static dev.torg.offers.life.OfferSituations.change;
import static dev.torg.offers.life.OfferSituations.checked;
import static dev.torg.offers.life.OfferSituations.content;
import static dev.torg.offers.life.OfferSituations.none;
import static dev.torg.offers.life.OfferSituations.offer;
import static dev.torg.offers.life.OfferSituations.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer.Status;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BringInTest {
  private static final long CREATED = NOW - 400 * DAY;

  @ParameterizedTest
  @EnumSource(
      value = Status.class,
      names = {"ACTIVE", "EXPIRED", "SOLD", "WITHDRAWN"})
  void decide_importedOffer_isSilentAndWasNeverNewHere(Status status) {
    Decision.Change change = change(imported(OPEN, status, OptionalLong.of(NOW + 3 * DAY)), none());
    assertThat(change.after().build())
        .isEqualTo(
            content(OPEN, "A title").toBuilder()
                .setId(ID.toString())
                .setDisplayId(ID.display())
                .setSellerId(OWNER.subject())
                .setStatus(status)
                .setCreatedAt(Micros.timestamp(CREATED))
                .setExpiresAt(Micros.timestamp(NOW + 3 * DAY))
                .build());
    assertThat(change.silent()).isTrue();
    assertThat(change.edited()).isTrue();
    assertThat(change.effects()).isEmpty();
  }

  @Test
  void decide_withoutAnEnd_getsAFullTermFromNow() {
    var after = change(imported(OPEN, Status.ACTIVE, OptionalLong.empty()), none()).after();
    assertThat(Micros.of(after.getExpiresAt())).isEqualTo(FULL_TERM);
    assertThat(after.hasActivatedAt()).isFalse();
  }

  /// It was moderated where it came from.
  @Test
  void decide_premoderatedCategory_isNotQueued() {
    Decision.Change change = change(imported(HIDDEN, Status.ACTIVE, OptionalLong.empty()), none());
    assertThat(change.after().getStatus()).isEqualTo(Status.ACTIVE);
    assertThat(change.effects()).isEmpty();
  }

  @Test
  void decide_takenId_isRefused() {
    assertThat(
            outcome(
                imported(OPEN, Status.ACTIVE, OptionalLong.empty()),
                offer(Status.REMOVED).situation()))
        .isEqualTo(Publish.ID_TAKEN);
  }

  /// Reactivated later, it still has no time of first activation: it never becomes news.
  @Test
  void decide_importedThenReactivated_isStillNotNew() {
    Situation imported = offer(Status.WITHDRAWN).neverActivated().expires(NOW - DAY).situation();
    Act reactivate = new Act(ID, OWNER, Act.Action.REACTIVATE, TERMS, NOW);
    assertThat(change(reactivate, imported).after().hasActivatedAt()).isFalse();
  }

  private static BringIn imported(String category, Status status, OptionalLong expires) {
    return new BringIn(
        ID, OWNER.subject(), checked(category, "A title"), status, CREATED, expires, TERMS, NOW);
  }
}
