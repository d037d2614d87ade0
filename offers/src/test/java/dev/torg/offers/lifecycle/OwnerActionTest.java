package dev.torg.offers.lifecycle;

import static dev.torg.offers.lifecycle.OfferSituations.DAY;
import static dev.torg.offers.lifecycle.OfferSituations.FULL_TERM;
import static dev.torg.offers.lifecycle.OfferSituations.HIDDEN;
import static dev.torg.offers.lifecycle.OfferSituations.ID;
import static dev.torg.offers.lifecycle.OfferSituations.MODERATOR;
import static dev.torg.offers.lifecycle.OfferSituations.NOW;
import static dev.torg.offers.lifecycle.OfferSituations.OTHER_USER;
import static dev.torg.offers.lifecycle.OfferSituations.OWNER;
import static dev.torg.offers.lifecycle.OfferSituations.TERMS;
import static dev.torg.offers.lifecycle.OfferSituations.change;
import static dev.torg.offers.lifecycle.OfferSituations.offer;
import static dev.torg.offers.lifecycle.OfferSituations.outcome;
import static dev.torg.offers.lifecycle.OfferSituations.queue;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.offers.lifecycle.OwnerAction.Action;
import dev.torg.platform.Caller;
import dev.torg.platform.EpochMicros;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class OwnerActionTest {
  @ParameterizedTest
  @CsvSource({
    "ACTIVE,    WITHDRAW,   WITHDRAWN",
    "ACTIVE,    REACTIVATE, offer.illegal-transition",
    "ACTIVE,    PROLONG,    ACTIVE",
    "ACTIVE,    REMOVE,     REMOVED",
    "PENDING,   WITHDRAW,   offer.illegal-transition",
    "PENDING,   REACTIVATE, offer.moderation-only",
    "PENDING,   PROLONG,    offer.not-active",
    "PENDING,   REMOVE,     REMOVED",
    "WITHDRAWN, WITHDRAW,   offer.illegal-transition",
    "WITHDRAWN, REACTIVATE, ACTIVE",
    "WITHDRAWN, PROLONG,    offer.not-active",
    "WITHDRAWN, REMOVE,     REMOVED",
    "EXPIRED,   WITHDRAW,   offer.illegal-transition",
    "EXPIRED,   REACTIVATE, ACTIVE",
    "EXPIRED,   PROLONG,    offer.not-active",
    "EXPIRED,   REMOVE,     REMOVED",
    "BANNED,    WITHDRAW,   offer.illegal-transition",
    "BANNED,    REACTIVATE, offer.moderation-only",
    "BANNED,    PROLONG,    offer.not-active",
    "BANNED,    REMOVE,     REMOVED",
    "SOLD,      WITHDRAW,   offer.illegal-transition",
    "SOLD,      REACTIVATE, offer.illegal-transition",
    "SOLD,      PROLONG,    offer.not-active",
    "SOLD,      REMOVE,     REMOVED",
    "REMOVED,   WITHDRAW,   offer.illegal-transition",
    "REMOVED,   REACTIVATE, offer.illegal-transition",
    "REMOVED,   PROLONG,    offer.not-active",
    "REMOVED,   REMOVE,     offer.illegal-transition",
  })
  void decide_byStatusAndAction(Status status, Action action, String expected) {
    assertThat(outcome(act(action), offer(status).situation())).isEqualTo(expected);
  }

  @Test
  void decide_noSuchOffer_isNotFound() {
    for (Action action : Action.values()) {
      assertThat(outcome(act(action), OfferSituations.none())).isEqualTo("offer.not-found");
    }
  }

  /// Another caller gets FORBIDDEN for a public offer and NOT_FOUND for one that is not public.
  @ParameterizedTest
  @CsvSource({
    "ACTIVE,    offer.not-yours",
    "EXPIRED,   offer.not-yours",
    "SOLD,      offer.not-yours",
    "PENDING,   offer.not-found",
    "WITHDRAWN, offer.not-found",
    "BANNED,    offer.not-found",
    "REMOVED,   offer.not-found",
  })
  void decide_byOtherCaller_isRefused(Status status, String expected) {
    for (Action action : Action.values()) {
      assertThat(outcome(act(OTHER_USER, action), offer(status).situation()))
          .as(action.name())
          .isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @EnumSource(Action.class)
  void decide_byModerator_isForbiddenWhateverTheStatus(Action action) {
    for (Status status : new Status[] {Status.ACTIVE, Status.PENDING, Status.BANNED}) {
      assertThat(outcome(act(MODERATOR, action), offer(status).situation()))
          .isEqualTo("offer.not-yours");
    }
  }

  @Test
  void decide_withdraw_changesTheStatusAlone() {
    OfferSituations active = offer(Status.ACTIVE);
    Decision.Change change = change(act(Action.WITHDRAW), active.situation());
    assertThat(change.after().build())
        .isEqualTo(active.shown().toBuilder().setStatus(Status.WITHDRAWN).build());
    assertThat(change.effects()).isEmpty();
    assertThat(change.edited()).isFalse();
    assertThat(change.silent()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(
      value = Status.class,
      names = {"ACTIVE", "PENDING", "WITHDRAWN", "EXPIRED", "BANNED", "SOLD"})
  void decide_remove_leavesTheModerationQueue(Status status) {
    assertThat(queue(change(act(Action.REMOVE), offer(status).situation()))).isEqualTo("leave");
  }

  @Test
  void decide_reactivateWithinTheTerm_keepsActivationAndEnd() {
    OfferSituations withdrawn = offer(Status.WITHDRAWN);
    Offer.Builder after = change(act(Action.REACTIVATE), withdrawn.situation()).after();
    assertThat(after.build())
        .isEqualTo(withdrawn.shown().toBuilder().setStatus(Status.ACTIVE).build());
  }

  @ParameterizedTest
  @CsvSource({"EXPIRED, -1", "EXPIRED, 0", "WITHDRAWN, -1", "WITHDRAWN, 0"})
  void decide_reactivateAfterExpiry_startsNewTerm(Status status, long micros) {
    OfferSituations expired = offer(status).expires(NOW + micros);
    Offer.Builder after = change(act(Action.REACTIVATE), expired.situation()).after();
    assertThat(after.getActivatedAt()).isEqualTo(expired.shown().getActivatedAt());
    assertThat(EpochMicros.of(after.getExpiresAt())).isEqualTo(FULL_TERM);
  }

  @Test
  void decide_reactivateOneMicrosecondBeforeTheEnd_keepsTheEnd() {
    OfferSituations expiring = offer(Status.WITHDRAWN).expires(NOW + 1);
    Offer.Builder after = change(act(Action.REACTIVATE), expiring.situation()).after();
    assertThat(EpochMicros.of(after.getExpiresAt())).isEqualTo(NOW + 1);
  }

  /// Edited in version 3: an opinion on version 2 does not cover the edit, one on version 3 does.
  @ParameterizedTest
  @CsvSource({
    "WITHDRAWN, phones, 0, ACTIVE,  ''",
    "WITHDRAWN, pets,   0, PENDING, PENDING EDITED",
    "WITHDRAWN, pets,   2, PENDING, PENDING EDITED",
    "WITHDRAWN, pets,   3, ACTIVE,  ''",
    "WITHDRAWN, pets,   5, ACTIVE,  ''",
    "WITHDRAWN, jobs,   2, ACTIVE,  EDITED",
    "WITHDRAWN, jobs,   3, ACTIVE,  ''",
    "EXPIRED,   phones, 0, ACTIVE,  ''",
    "EXPIRED,   pets,   2, PENDING, PENDING EDITED",
    "EXPIRED,   pets,   3, ACTIVE,  ''",
    "EXPIRED,   jobs,   2, ACTIVE,  EDITED",
    "EXPIRED,   jobs,   3, ACTIVE,  ''",
  })
  void decide_reactivate_isReviewedUnlessTheLastEditWasApproved(
      Status status, String category, long judgedVersion, Status expected, String queue) {
    Situation situation = offer(status).in(category).judgedVersion(judgedVersion).situation();
    Decision.Change change = change(act(Action.REACTIVATE), situation);
    assertThat(change.after().getStatus()).isEqualTo(expected);
    assertThat(queue(change)).isEqualTo(queue);
    assertThat(change.edited()).isFalse();
  }

  @Test
  void decide_reactivateInRemovedCategory_isNotReviewed() {
    Situation situation = offer(Status.WITHDRAWN).in("gone").situation();
    assertThat(queue(change(act(Action.REACTIVATE), situation))).isEmpty();
  }

  @Test
  void decide_prolong_extendsTheEndAndNothingElse() {
    OfferSituations active = offer(Status.ACTIVE);
    Decision.Change change = change(act(Action.PROLONG), active.situation());
    assertThat(change.after().build())
        .isEqualTo(
            active.shown().toBuilder().setExpiresAt(EpochMicros.timestamp(FULL_TERM)).build());
    assertThat(change.effects()).isEmpty();
  }

  @Test
  void decide_prolongThatWouldShortenTheTerm_keepsTheEnd() {
    long later = FULL_TERM + DAY;
    Situation situation = offer(Status.ACTIVE).expires(later).situation();
    assertThat(EpochMicros.of(change(act(Action.PROLONG), situation).after().getExpiresAt()))
        .isEqualTo(later);
  }

  @Test
  void decide_prolongUnapprovedPremoderatedOffer_requestsNoReview() {
    Situation situation = offer(Status.ACTIVE).in(HIDDEN).situation();
    assertThat(queue(change(act(Action.PROLONG), situation))).isEmpty();
  }

  @Test
  void needsModeration_onlyToReactivate() {
    for (Action action : Action.values()) {
      assertThat(act(action).needsModeration()).isEqualTo(action == Action.REACTIVATE);
      assertThat(act(action).needsPhotos()).isFalse();
    }
  }

  @Test
  void lockKey_isTheSeller() {
    assertThat(act(Action.WITHDRAW).lockKey()).isEqualTo(OWNER.subject());
  }

  private static OwnerAction act(Action action) {
    return act(OWNER, action);
  }

  private static OwnerAction act(Caller caller, Action action) {
    return new OwnerAction(ID, caller, action, TERMS, NOW);
  }
}
