package dev.torg.offers.lifecycle;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.Opinion;
import dev.torg.offers.part.ModerationPart;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import java.util.List;
import java.util.OptionalLong;

/// A moderator's opinion on an offer.
///
/// An opinion on a version older than the last judged one is late: it is recorded and has no effect. An
/// approval of a version that the owner has edited since, and an opinion that the offer's status does not
/// allow, are a CONFLICT when submitted by RPC. From the topic, which has no response, they are only
/// recorded. An opinion without a version refers to the version that is current when it is decided. The
/// topic may deliver a record twice; the part contains the ids of the last records.
public record ApplyOpinion(
    OfferId id, Opinion opinion, OptionalLong recordId, PublishingTerms terms, long at)
    implements OfferCommand {
  /// The largest number of records that the topic's consumer may receive again after a crash.
  public static final int MAX_REDELIVERED_RECORDS = 250;

  /// Ids of applied records stored for deduplication: twice the largest redelivery.
  static final int MAX_SEEN_RECORDS = 2 * MAX_REDELIVERED_RECORDS;

  @Override
  public boolean needsModeration() {
    return true;
  }

  @Override
  public Decision decide(Situation situation) {
    StoredOffer current = situation.existing();
    ModerationPart part = situation.moderation();
    if (recordId.isPresent() && part.getHeardList().contains(recordId.getAsLong())) {
      return new Decision.NoChange(List.of());
    }
    requireKnownVersion(current.version());
    if (current.status() == Status.REMOVED) {
      return afterRemoval(part);
    }
    if (about(current) < part.getJudgedVersion()) {
      return recordedOnly(part);
    }
    return switch (opinion.getVerdict()) {
      case BAN -> ban(current, part);
      case UNBAN -> unban(current, part);
      case OK -> approve(current, part);
      case VERDICT_UNSPECIFIED, UNRECOGNIZED ->
          throw Failure.invalid(
              "opinion.verdict", "bad verdict", "opinion.verdict", "must be BAN, UNBAN or OK");
    };
  }

  /// The offer only leaves the queue. A ban or unban has no effect on a removed offer; submitted by RPC it
  /// is a CONFLICT.
  private Decision afterRemoval(ModerationPart part) {
    if (recordId.isEmpty() && opinion.getVerdict() != Opinion.Verdict.OK) {
      return refused(Status.REMOVED, part);
    }
    return new Decision.NoChange(List.of(recordedOnlyEffect(part), new Effect.Dequeued()));
  }

  private void requireKnownVersion(long current) {
    if (opinion.hasOfferVersion() && opinion.getOfferVersion() > current) {
      throw Failure.invalid(
          "opinion.version",
          "bad version",
          "opinion.offerVersion",
          "the offer's version is " + current);
    }
  }

  private long about(StoredOffer current) {
    return opinion.hasOfferVersion() ? opinion.getOfferVersion() : current.version();
  }

  private Decision ban(StoredOffer current, ModerationPart moderation) {
    Offer.Builder offer = current.shown().toBuilder();
    int former = moderation.getFormerStatus();
    if (offer.getStatus() != Status.BANNED) {
      if (!StatusTransitions.isAllowed(offer.getStatus(), Status.BANNED)) {
        return refused(offer.getStatus(), moderation);
      }
      former = offer.getStatusValue();
      StatusTransitions.transition(offer, Status.BANNED);
    }
    offer.clearBanReasons().addAllBanReasons(opinion.getReasonsList());
    Effect recorded = opinionRecorded(current, moderation, former);
    return isUnseen(current)
        ? Decision.change(offer, recorded)
        : Decision.change(offer, recorded, new Effect.Dequeued());
  }

  /// Restores the status before the ban. A pending offer still needs its approval.
  private Decision unban(StoredOffer current, ModerationPart moderation) {
    if (current.status() != Status.BANNED) {
      return refused(current.status(), moderation);
    }
    if (isUnseen(current)) {
      return editedSince(current, moderation);
    }
    Status former = Status.forNumber(moderation.getFormerStatus());
    Offer.Builder offer = current.shown().toBuilder().clearBanReasons();
    StatusTransitions.unban(offer, former);
    Effect queue =
        former == Status.PENDING
            ? new Effect.Enqueued(Effect.Cause.PENDING)
            : new Effect.Dequeued();
    return Decision.change(
        offer, opinionRecorded(current, moderation, 0), new Effect.Dequeued(), queue);
  }

  private Decision approve(StoredOffer current, ModerationPart moderation) {
    if (current.status() == Status.BANNED) {
      return refused(current.status(), moderation);
    }
    if (isUnseen(current)) {
      return editedSince(current, moderation);
    }
    if (current.status() != Status.PENDING) {
      return new Decision.NoChange(
          List.of(opinionRecorded(current, moderation, 0), new Effect.Dequeued()));
    }
    Offer.Builder offer = current.shown().toBuilder();
    activate(offer);
    return Decision.change(offer, opinionRecorded(current, moderation, 0), new Effect.Dequeued());
  }

  /// The first approval starts the offer's term. A later one keeps the term from before the edit; if that
  /// has ended meanwhile, the offer is expired.
  private void activate(Offer.Builder offer) {
    boolean hadTerm = offer.hasExpiresAt();
    boolean finished = hadTerm && EpochMicros.of(offer.getExpiresAt()) <= at;
    StatusTransitions.transition(offer, finished ? Status.EXPIRED : Status.ACTIVE);
    if (!hadTerm) {
      terms.activate(offer, at);
    }
  }

  /// Whether the owner has edited the offer after the version that the opinion refers to.
  private boolean isUnseen(StoredOffer current) {
    return about(current) < current.editedVersion();
  }

  private Effect opinionRecorded(StoredOffer current, ModerationPart before, int former) {
    ModerationPart part =
        withSeenRecord(before).setJudgedVersion(about(current)).setFormerStatus(former).build();
    return new Effect.OpinionRecorded(recorded(about(current)), true, part);
  }

  private ModerationPart.Builder withSeenRecord(ModerationPart before) {
    ModerationPart.Builder part = before.toBuilder();
    if (recordId.isPresent()) {
      List<Long> last = before.getHeardList();
      int from = Math.max(0, last.size() + 1 - MAX_SEEN_RECORDS);
      part.clearHeard().addAllHeard(last.subList(from, last.size())).addHeard(recordId.getAsLong());
    }
    return part;
  }

  private Decision refused(Status status, ModerationPart part) {
    if (recordId.isEmpty()) {
      throw Failure.conflict(
          "offer.illegal-transition",
          "an offer that is " + status + " cannot follow the verdict " + opinion.getVerdict());
    }
    return recordedOnly(part);
  }

  /// An approval must not cover content that the moderator has not seen.
  private Decision editedSince(StoredOffer current, ModerationPart part) {
    if (recordId.isEmpty()) {
      throw Failure.conflict(
          "opinion.version-not-current",
          "the offer was edited since version %d: its version is %d"
              .formatted(about(current), current.version()));
    }
    return recordedOnly(part);
  }

  private Decision recordedOnly(ModerationPart part) {
    return new Decision.NoChange(List.of(recordedOnlyEffect(part)));
  }

  private Effect recordedOnlyEffect(ModerationPart part) {
    return new Effect.OpinionRecorded(opinion, false, withSeenRecord(part).build());
  }

  /// Sets the version that the opinion refers to if the moderator did not state it.
  private Opinion recorded(long version) {
    return opinion.toBuilder().setOfferVersion(version).build();
  }
}
