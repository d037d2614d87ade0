package dev.torg.offers.lifecycle;

import static dev.torg.offers.lifecycle.OfferSituations.HIDDEN;
import static dev.torg.offers.lifecycle.OfferSituations.ID;
import static dev.torg.offers.lifecycle.OfferSituations.MODERATOR;
import static dev.torg.offers.lifecycle.OfferSituations.NOW;
import static dev.torg.offers.lifecycle.OfferSituations.OPEN;
import static dev.torg.offers.lifecycle.OfferSituations.OTHER_USER;
import static dev.torg.offers.lifecycle.OfferSituations.OWNER;
import static dev.torg.offers.lifecycle.OfferSituations.VERSION;
import static dev.torg.offers.lifecycle.OfferSituations.change;
import static dev.torg.offers.lifecycle.OfferSituations.checked;
import static dev.torg.offers.lifecycle.OfferSituations.content;
import static dev.torg.offers.lifecycle.OfferSituations.offer;
import static dev.torg.offers.lifecycle.OfferSituations.outcome;
import static dev.torg.offers.lifecycle.OfferSituations.queue;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.Photo;
import dev.torg.platform.Caller;
import dev.torg.platform.EpochMicros;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EditOfferTest {
  /// The status after an edit in the same category, and the effect on the moderation queue.
  @ParameterizedTest
  @CsvSource({
    "ACTIVE,    phones, ACTIVE,             ''",
    "PENDING,   phones, PENDING,            ''",
    "WITHDRAWN, phones, WITHDRAWN,          ''",
    "EXPIRED,   phones, EXPIRED,            ''",
    "BANNED,    phones, BANNED,             EDITED",
    "SOLD,      phones, offer.not-editable, ''",
    "REMOVED,   phones, offer.not-editable, ''",
    "ACTIVE,    pets,   PENDING,            PENDING EDITED",
    "PENDING,   pets,   PENDING,            ''",
    "WITHDRAWN, pets,   WITHDRAWN,          ''",
    "EXPIRED,   pets,   PENDING,            PENDING EDITED",
    "BANNED,    pets,   BANNED,             EDITED",
    "SOLD,      pets,   offer.not-editable, ''",
    "REMOVED,   pets,   offer.not-editable, ''",
    "ACTIVE,    jobs,   ACTIVE,             EDITED",
    "PENDING,   jobs,   PENDING,            ''",
    "WITHDRAWN, jobs,   WITHDRAWN,          ''",
    "EXPIRED,   jobs,   EXPIRED,            EDITED",
    "BANNED,    jobs,   BANNED,             EDITED",
    "SOLD,      jobs,   offer.not-editable, ''",
    "REMOVED,   jobs,   offer.not-editable, ''",
  })
  void decide_byStatusAndCategory(Status status, String category, String expected, String queue) {
    Situation situation = offer(status).in(category).judgedVersion(VERSION).situation();
    EditOffer edit = edit(content(category, "Another title"));
    assertThat(outcome(edit, situation)).isEqualTo(expected);
    if (!expected.startsWith("offer.")) {
      assertThat(queue(edit.decide(situation))).isEqualTo(queue);
    }
  }

  /// Fields set by Torg are unchanged, whatever the request contains; photos have their own commands.
  @Test
  void decide_serverFieldsInContent_areIgnored() {
    OfferSituations active = offer(Status.ACTIVE).photo("p", Photo.Status.READY);
    Offer sent =
        content(OPEN, "Another title").toBuilder()
            .setDescription("Used.")
            .setRegion("fr")
            .setExternalId("sku-2")
            .clearPrice()
            .clearAttributes()
            .setStatus(Status.SOLD)
            .setSellerId(OTHER_USER.subject())
            .setVersion(99)
            .addBanReasons("spam")
            .setExpiresAt(EpochMicros.timestamp(1))
            .build();
    Decision.Change change = change(edit(sent), active.situation());
    assertThat(change.after().build())
        .isEqualTo(
            active.shown().toBuilder()
                .setTitle("Another title")
                .setDescription("Used.")
                .setRegion("fr")
                .setExternalId("sku-2")
                .clearPrice()
                .clearAttributes()
                .build());
    assertThat(change.edited()).isTrue();
    assertThat(change.silent()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"ACTIVE, pets", "EXPIRED, pets", "BANNED, phones", "ACTIVE, jobs"})
  void decide_sameContent_isNotReviewed(Status status, String category) {
    OfferSituations before = offer(status).in(category);
    Decision.Change change = change(edit(before.shown()), before.situation());
    assertThat(change.after().build()).isEqualTo(before.shown());
    assertThat(change.edited()).isFalse();
    assertThat(queue(change)).isEmpty();
  }

  @Test
  void decide_priceAloneInAPremoderatedCategory_isReviewed() {
    OfferSituations before = offer(Status.ACTIVE).in(HIDDEN);
    Offer dearer = before.shown().toBuilder().setPrice(OfferSituations.money(500)).build();
    assertThat(outcome(edit(dearer), before.situation())).isEqualTo("PENDING");
  }

  @ParameterizedTest
  @CsvSource({
    "5, ACTIVE",
    "4, offer.version-not-current",
    "6, offer.version-not-current",
    "0, offer.version-not-current",
  })
  void decide_expectedVersion_mustBeTheCurrentOne(long expected, String outcome) {
    EditOffer edit =
        new EditOffer(ID, OWNER, checked(OPEN, "Another title"), OptionalLong.of(expected), NOW);
    assertThat(outcome(edit, offer(Status.ACTIVE).situation())).isEqualTo(outcome);
  }

  /// Moving an offer into a premoderated category afterwards must not evade moderation.
  @ParameterizedTest
  @CsvSource({
    "ACTIVE,    phones, pets,   offer.category-premoderated",
    "ACTIVE,    phones, jobs,   offer.category-premoderated",
    "ACTIVE,    pets,   jobs,   offer.category-premoderated",
    "WITHDRAWN, phones, pets,   offer.category-premoderated",
    "EXPIRED,   phones, pets,   offer.category-premoderated",
    "BANNED,    phones, pets,   offer.category-premoderated",
    "PENDING,   phones, pets,   PENDING",
    "PENDING,   pets,   phones, PENDING",
    "ACTIVE,    pets,   phones, ACTIVE",
    "WITHDRAWN, pets,   phones, WITHDRAWN",
    "BANNED,    pets,   phones, BANNED",
    "SOLD,      phones, pets,   offer.not-editable",
  })
  void decide_anotherCategory_isAllowedUnlessThatOneIsPremoderated(
      Status status, String from, String to, String expected) {
    Situation situation = offer(status).in(from).judgedVersion(VERSION).situation();
    assertThat(outcome(edit(content(to, "Another title")), situation)).isEqualTo(expected);
  }

  @Test
  void decide_outOfAPremoderatedCategory_isNotReviewed() {
    Situation situation = offer(Status.ACTIVE).in(HIDDEN).situation();
    assertThat(queue(change(edit(content(OPEN, "Another title")), situation))).isEmpty();
  }

  @Test
  void decide_bannedOffer_keepsTheBanAndItsReasons() {
    Decision.Change change =
        change(edit(content(OPEN, "Another title")), offer(Status.BANNED).situation());
    assertThat(change.after().getBanReasonsList()).containsExactly("spam");
  }

  @Test
  void decide_byAnotherCaller_isRefusedBeforeAnythingElse() {
    for (Status status : new Status[] {Status.ACTIVE, Status.SOLD}) {
      Situation situation = offer(status).situation();
      assertThat(outcome(edit(OTHER_USER, 9), situation)).isEqualTo("offer.not-yours");
      assertThat(outcome(edit(MODERATOR, 9), situation)).isEqualTo("offer.not-yours");
    }
    Situation hidden = offer(Status.WITHDRAWN).situation();
    assertThat(outcome(edit(OTHER_USER, 9), hidden)).isEqualTo("offer.not-found");
    assertThat(outcome(edit(MODERATOR, 9), hidden)).isEqualTo("offer.not-yours");
  }

  @Test
  void decide_noSuchOffer_isNotFound() {
    assertThat(outcome(edit(content(OPEN, "Title")), OfferSituations.none()))
        .isEqualTo("offer.not-found");
  }

  @Test
  void lockKey_isTheOffer() {
    assertThat(edit(OWNER, VERSION).lockKey()).isEqualTo(ID);
  }

  private static EditOffer edit(Offer content) {
    return new EditOffer(ID, OWNER, checked(content), OptionalLong.empty(), NOW);
  }

  private static EditOffer edit(Caller caller, long version) {
    return new EditOffer(ID, caller, checked(OPEN, "Title"), OptionalLong.of(version), NOW);
  }
}
