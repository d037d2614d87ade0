package dev.torg.offers.lifecycle;

import static dev.torg.offers.lifecycle.OfferSituations.DAY;
import static dev.torg.offers.lifecycle.OfferSituations.FULL_TERM;
import static dev.torg.offers.lifecycle.OfferSituations.HIDDEN;
import static dev.torg.offers.lifecycle.OfferSituations.ID;
import static dev.torg.offers.lifecycle.OfferSituations.NOW;
import static dev.torg.offers.lifecycle.OfferSituations.TERMS;
import static dev.torg.offers.lifecycle.OfferSituations.VERSION;
import static dev.torg.offers.lifecycle.OfferSituations.change;
import static dev.torg.offers.lifecycle.OfferSituations.effect;
import static dev.torg.offers.lifecycle.OfferSituations.effects;
import static dev.torg.offers.lifecycle.OfferSituations.noChange;
import static dev.torg.offers.lifecycle.OfferSituations.offer;
import static dev.torg.offers.lifecycle.OfferSituations.outcome;
import static dev.torg.offers.lifecycle.OfferSituations.queue;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.Opinion;
import dev.torg.api.v1.Opinion.Verdict;
import dev.torg.offers.part.ModerationPart;
import dev.torg.platform.EpochMicros;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Stored offers are of version 5 and were edited in version 3.
class ApplyOpinionTest {
  private static final OptionalLong RECORD = OptionalLong.of(4711);

  /// An opinion on the current version by RPC, and the same from the topic. A banned offer was active
  /// before.
  @ParameterizedTest
  @CsvSource({
    "ACTIVE,    BAN,   BANNED,                   BANNED,    leave",
    "PENDING,   BAN,   BANNED,                   BANNED,    leave",
    "WITHDRAWN, BAN,   BANNED,                   BANNED,    leave",
    "EXPIRED,   BAN,   BANNED,                   BANNED,    leave",
    "BANNED,    BAN,   BANNED,                   BANNED,    leave",
    "SOLD,      BAN,   BANNED,                   BANNED,    leave",
    "REMOVED,   BAN,   offer.illegal-transition, unchanged, leave",
    "ACTIVE,    UNBAN, offer.illegal-transition, unchanged, ''",
    "PENDING,   UNBAN, offer.illegal-transition, unchanged, ''",
    "WITHDRAWN, UNBAN, offer.illegal-transition, unchanged, ''",
    "EXPIRED,   UNBAN, offer.illegal-transition, unchanged, ''",
    "BANNED,    UNBAN, ACTIVE,                   ACTIVE,    leave leave",
    "SOLD,      UNBAN, offer.illegal-transition, unchanged, ''",
    "REMOVED,   UNBAN, offer.illegal-transition, unchanged, leave",
    "ACTIVE,    OK,    unchanged,                     unchanged, leave",
    "PENDING,   OK,    ACTIVE,                   ACTIVE,    leave",
    "WITHDRAWN, OK,    unchanged,                     unchanged, leave",
    "EXPIRED,   OK,    unchanged,                     unchanged, leave",
    "BANNED,    OK,    offer.illegal-transition, unchanged, ''",
    "SOLD,      OK,    unchanged,                     unchanged, leave",
    "REMOVED,   OK,    unchanged,                     unchanged, leave",
  })
  void decide_byStatusAndVerdict(
      Status status, Verdict verdict, String manual, String byTopic, String queue) {
    OfferSituations offer = offer(status);
    if (status == Status.BANNED) {
      offer.bannedFrom(Status.ACTIVE);
    }
    assertThat(outcome(command(verdict), offer.situation())).isEqualTo(manual);
    assertThat(outcome(fromTopic(verdict), offer.situation())).isEqualTo(byTopic);
    assertThat(queue(fromTopic(verdict).decide(offer.situation()))).isEqualTo(queue);
  }

  @Test
  void decide_ban_replacesTheReasonsAndStoresTheFormerStatus() {
    ApplyOpinion ban = command(opinion(Verdict.BAN).addReasons("fraud").addReasons("fake"));
    for (Status status : List.of(Status.ACTIVE, Status.PENDING, Status.SOLD)) {
      Decision.Change change = change(ban, offer(status).situation());
      assertThat(change.after().getBanReasonsList()).containsExactly("fraud", "fake");
      assertThat(change.edited()).isFalse();
      assertThat(part(change).getFormerStatus()).isEqualTo(status.getNumber());
      assertThat(part(change).getJudgedVersion()).isEqualTo(VERSION);
    }
  }

  @Test
  void decide_banOfABannedOffer_keepsTheFormerStatus() {
    ApplyOpinion ban = command(opinion(Verdict.BAN).addReasons("fraud"));
    Decision.Change change = change(ban, banned(Status.WITHDRAWN).situation());
    assertThat(change.after().getBanReasonsList()).containsExactly("fraud");
    assertThat(part(change).getFormerStatus()).isEqualTo(Status.WITHDRAWN_VALUE);
  }

  @ParameterizedTest
  @EnumSource(
      value = Status.class,
      names = {"ACTIVE", "PENDING", "WITHDRAWN", "EXPIRED", "SOLD"})
  void decide_unban_restoresFormerStatus(Status former) {
    OfferSituations banned = banned(former);
    Decision.Change change = change(command(Verdict.UNBAN), banned.situation());
    assertThat(change.after().build())
        .isEqualTo(banned.shown().toBuilder().setStatus(former).clearBanReasons().build());
    assertThat(part(change).getFormerStatus()).isZero();
    assertThat(part(change).getJudgedVersion()).isEqualTo(VERSION);
  }

  /// It leaves the queue for its earlier causes and enters it again.
  @Test
  void decide_unbanPendingOffer_needsApproval() {
    Decision.Change change = change(command(Verdict.UNBAN), banned(Status.PENDING).situation());
    assertThat(queue(change)).isEqualTo("leave PENDING");
  }

  // Approval.

  @Test
  void decide_firstApproval_beginsTheTerm() {
    Offer.Builder after =
        change(command(Verdict.OK), offer(Status.PENDING).in(HIDDEN).situation()).after();
    assertThat(after.getStatus()).isEqualTo(Status.ACTIVE);
    assertThat(EpochMicros.of(after.getActivatedAt())).isEqualTo(NOW);
    assertThat(EpochMicros.of(after.getExpiresAt())).isEqualTo(FULL_TERM);
  }

  /// In microseconds from now. The term from before the edit continues, or has ended during the review.
  @ParameterizedTest
  @CsvSource({"-1, EXPIRED", "0, EXPIRED", "1, ACTIVE"})
  void decide_approvalOfAnEdit_keepsTheTerm(long end, Status expected) {
    OfferSituations edited =
        offer(Status.PENDING).in(HIDDEN).activated(NOW - 60 * DAY).expires(NOW + end);
    Offer.Builder after = change(command(Verdict.OK), edited.situation()).after();
    assertThat(after.build()).isEqualTo(edited.shown().toBuilder().setStatus(expected).build());
  }

  @Test
  void decide_approvalOfAVisibleOffer_recordsWhatWasApproved() {
    Decision.NoChange noChange = noChange(command(Verdict.OK), offer(Status.WITHDRAWN).situation());
    assertThat(part(noChange).getJudgedVersion()).isEqualTo(VERSION);
    assertThat(effect(noChange, Effect.OpinionRecorded.class).applied()).isTrue();
  }

  // Versions.

  /// Last judged in version 4; edited in version 3.
  @ParameterizedTest
  @CsvSource({
    "BAN,   3, unchanged",
    "BAN,   4, BANNED",
    "BAN,   5, BANNED",
    "BAN,   6, opinion.version",
    "OK,    3, unchanged",
    "OK,    6, opinion.version",
    "UNBAN, 6, opinion.version",
  })
  void decide_versionOlderThanLastJudged_isLate(Verdict verdict, long version, String expected) {
    Situation situation = offer(Status.ACTIVE).judgedVersion(4).situation();
    assertThat(outcome(command(opinion(verdict).setOfferVersion(version)), situation))
        .isEqualTo(expected);
  }

  @Test
  void decide_lateOpinion_isRecordedWithoutEffect() {
    Opinion delayed = opinion(Verdict.BAN).setOfferVersion(3).build();
    Situation situation = offer(Status.ACTIVE).judgedVersion(4).situation();
    Decision.NoChange noChange = noChange(command(delayed.toBuilder()), situation);
    assertThat(effects(noChange))
        .containsExactly(new Effect.OpinionRecorded(delayed, false, situation.moderation()));
  }

  /// Versions 1 and 2 precede the edit in version 3.
  @ParameterizedTest
  @CsvSource({
    "PENDING, OK,    2, opinion.version-not-current, unchanged",
    "PENDING, OK,    3, ACTIVE,                      ACTIVE",
    "ACTIVE,  OK,    2, opinion.version-not-current, unchanged",
    "ACTIVE,  OK,    3, unchanged,                   unchanged",
    "BANNED,  UNBAN, 2, opinion.version-not-current, unchanged",
    "BANNED,  UNBAN, 3, ACTIVE,                      ACTIVE",
    "PENDING, BAN,   2, BANNED,                      BANNED",
    "ACTIVE,  BAN,   1, BANNED,                      BANNED",
  })
  void decide_versionEditedSince_bansButDoesNotApprove(
      Status status, Verdict verdict, long version, String manual, String byTopic) {
    OfferSituations offer =
        status == Status.BANNED ? banned(Status.ACTIVE) : offer(status).in(HIDDEN);
    Opinion.Builder opinion = opinion(verdict).setOfferVersion(version);
    assertThat(outcome(command(opinion), offer.situation())).isEqualTo(manual);
    assertThat(
            outcome(new ApplyOpinion(ID, opinion.build(), RECORD, TERMS, NOW), offer.situation()))
        .isEqualTo(byTopic);
  }

  /// Content that the moderator has not seen still needs a review.
  @ParameterizedTest
  @CsvSource({"2, ''", "3, leave"})
  void decide_banOfVersionEditedSince_keepsOfferInQueue(long version, String queue) {
    ApplyOpinion ban = command(opinion(Verdict.BAN).setOfferVersion(version));
    assertThat(queue(change(ban, offer(Status.ACTIVE).situation()))).isEqualTo(queue);
  }

  @Test
  void decide_withoutAVersion_isRecordedWithTheCurrentOne() {
    Decision.NoChange noChange = noChange(command(Verdict.OK), offer(Status.ACTIVE).situation());
    assertThat(effect(noChange, Effect.OpinionRecorded.class).opinion().getOfferVersion())
        .isEqualTo(VERSION);
  }

  // Redelivered records of the topic.

  @Test
  void decide_redeliveredRecord_hasNoEffect() {
    Situation situation = offer(Status.ACTIVE).withAppliedRecord(RECORD.getAsLong()).situation();
    for (Verdict verdict : List.of(Verdict.BAN, Verdict.OK, Verdict.UNBAN)) {
      assertThat(fromTopic(verdict).decide(situation)).isEqualTo(new Decision.NoChange(List.of()));
    }
    assertThat(outcome(command(Verdict.BAN), situation)).isEqualTo("BANNED");
  }

  @ParameterizedTest
  @CsvSource({"ACTIVE, BAN", "ACTIVE, OK", "ACTIVE, UNBAN", "REMOVED, BAN"})
  void decide_record_isRememberedWhetherAppliedOrNot(Status status, Verdict verdict) {
    Situation situation = offer(status).withAppliedRecord(1).withAppliedRecord(2).situation();
    assertThat(part(fromTopic(verdict).decide(situation)).getHeardList())
        .containsExactly(1L, 2L, RECORD.getAsLong());
    if (status != Status.REMOVED && verdict != Verdict.UNBAN) {
      assertThat(part(command(verdict).decide(situation)).getHeardList()).containsExactly(1L, 2L);
    }
  }

  @Test
  void decide_manyRecords_remembersTheLastOnes() {
    OfferSituations offer = offer(Status.ACTIVE);
    LongStream.range(0, ApplyOpinion.MAX_SEEN_RECORDS).forEach(offer::withAppliedRecord);
    List<Long> received = part(fromTopic(Verdict.OK).decide(offer.situation())).getHeardList();
    assertThat(received)
        .hasSize(ApplyOpinion.MAX_SEEN_RECORDS)
        .startsWith(1L, 2L)
        .endsWith(RECORD.getAsLong());
  }

  // Removed offers and bad requests.

  @Test
  void decide_removedOffer_recordsTheApprovalWithoutEffect() {
    Decision.NoChange noChange = noChange(command(Verdict.OK), offer(Status.REMOVED).situation());
    assertThat(effect(noChange, Effect.OpinionRecorded.class).applied()).isFalse();
    assertThat(part(noChange).getJudgedVersion()).isZero();
  }

  /// A ban before the removal must outlast an opinion on the removed offer, since a feed can restore it.
  @Test
  void decide_removedOfferThatWasBanned_staysMarkedAsBanned() {
    Situation situation = offer(Status.REMOVED).bannedFrom(Status.ACTIVE).situation();
    assertThat(part(command(Verdict.OK).decide(situation)).getFormerStatus())
        .isEqualTo(Status.ACTIVE_VALUE);
  }

  @Test
  void decide_noVerdictOrNoOffer_isRefused() {
    assertThat(outcome(command(Opinion.newBuilder()), offer(Status.ACTIVE).situation()))
        .isEqualTo("opinion.verdict");
    assertThat(outcome(command(Verdict.BAN), OfferSituations.none())).isEqualTo("offer.not-found");
  }

  /// The part contains the records that were applied before.
  @Test
  void needsModeration_byRpcAndFromTopic_isTrue() {
    assertThat(command(Verdict.OK).needsModeration()).isTrue();
    assertThat(fromTopic(Verdict.BAN).needsModeration()).isTrue();
  }

  private static OfferSituations banned(Status former) {
    return offer(Status.BANNED).bannedFrom(former);
  }

  private static ModerationPart part(Decision decision) {
    return effect(decision, Effect.OpinionRecorded.class).part();
  }

  private static Opinion.Builder opinion(Verdict verdict) {
    return Opinion.newBuilder().setVerdict(verdict).setModerator("user:moderator");
  }

  private static ApplyOpinion command(Verdict verdict) {
    return command(opinion(verdict));
  }

  private static ApplyOpinion command(Opinion.Builder opinion) {
    return new ApplyOpinion(ID, opinion.build(), OptionalLong.empty(), TERMS, NOW);
  }

  private static ApplyOpinion fromTopic(Verdict verdict) {
    return new ApplyOpinion(ID, opinion(verdict).build(), RECORD, TERMS, NOW);
  }
}
