package dev.torg.offers.lifecycle;

import static dev.torg.offers.lifecycle.OfferSituations.DAY;
import static dev.torg.offers.lifecycle.OfferSituations.FULL_TERM;
import static dev.torg.offers.lifecycle.OfferSituations.HIDDEN;
import static dev.torg.offers.lifecycle.OfferSituations.ID;
import static dev.torg.offers.lifecycle.OfferSituations.NOW;
import static dev.torg.offers.lifecycle.OfferSituations.OPEN;
import static dev.torg.offers.lifecycle.OfferSituations.OWNER;
import static dev.torg.offers.lifecycle.OfferSituations.TERMS;
import static dev.torg.offers.lifecycle.OfferSituations.change;
import static dev.torg.offers.lifecycle.OfferSituations.checked;
import static dev.torg.offers.lifecycle.OfferSituations.content;
import static dev.torg.offers.lifecycle.OfferSituations.none;
import static dev.torg.offers.lifecycle.OfferSituations.offer;
import static dev.torg.offers.lifecycle.OfferSituations.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.EpochMicros;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ImportOfferTest {
  private static final long CREATED = NOW - 400 * DAY;

  @ParameterizedTest
  @EnumSource(
      value = Status.class,
      names = {"ACTIVE", "EXPIRED", "SOLD", "WITHDRAWN"})
  void decide_importedOffer_isSilentAndNotNew(Status status) {
    Decision.Change change = change(imported(OPEN, status, OptionalLong.of(NOW + 3 * DAY)), none());
    assertThat(change.after().build())
        .isEqualTo(
            content(OPEN, "A title").toBuilder()
                .setId(ID.toString())
                .setDisplayId(ID.display())
                .setSellerId(OWNER.subject())
                .setStatus(status)
                .setCreatedAt(EpochMicros.timestamp(CREATED))
                .setExpiresAt(EpochMicros.timestamp(NOW + 3 * DAY))
                .build());
    assertThat(change.silent()).isTrue();
    assertThat(change.edited()).isTrue();
    assertThat(change.effects()).isEmpty();
  }

  @Test
  void decide_noExpiry_getsFullTermFromNow() {
    var after = change(imported(OPEN, Status.ACTIVE, OptionalLong.empty()), none()).after();
    assertThat(EpochMicros.of(after.getExpiresAt())).isEqualTo(FULL_TERM);
    assertThat(after.hasActivatedAt()).isFalse();
  }

  @Test
  void decide_promotionsOfTheOtherMarketplace_areNotImported() {
    var promoted = checked(content(OPEN, "A title").toBuilder().addPromotions("turbo").build());
    ImportOffer command =
        new ImportOffer(
            ID,
            OWNER.subject(),
            promoted,
            Status.ACTIVE,
            CREATED,
            OptionalLong.empty(),
            TERMS,
            NOW);
    assertThat(change(command, none()).after().getPromotionsList()).isEmpty();
  }

  /// It was moderated by the marketplace it comes from.
  @Test
  void decide_premoderatedCategory_isNotQueued() {
    Decision.Change change = change(imported(HIDDEN, Status.ACTIVE, OptionalLong.empty()), none());
    assertThat(change.after().getStatus()).isEqualTo(Status.ACTIVE);
    assertThat(change.effects()).isEmpty();
  }

  @Test
  void decide_idInUse_isRefused() {
    assertThat(
            outcome(
                imported(OPEN, Status.ACTIVE, OptionalLong.empty()),
                offer(Status.REMOVED).situation()))
        .isEqualTo(PublishOffer.ID_IN_USE);
  }

  /// Reactivated later, it still has no time of first activation, so it never counts as new.
  @Test
  void decide_importedThenReactivated_isStillNotNew() {
    Situation imported = offer(Status.WITHDRAWN).neverActivated().expires(NOW - DAY).situation();
    OwnerAction reactivate = new OwnerAction(ID, OWNER, OwnerAction.Action.REACTIVATE, TERMS, NOW);
    assertThat(change(reactivate, imported).after().hasActivatedAt()).isFalse();
  }

  private static ImportOffer imported(String category, Status status, OptionalLong expires) {
    return new ImportOffer(
        ID, OWNER.subject(), checked(category, "A title"), status, CREATED, expires, TERMS, NOW);
  }
}
