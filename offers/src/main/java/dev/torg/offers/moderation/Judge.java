package dev.torg.offers.moderation;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.Opinion;
import dev.torg.offers.life.Decision;
import dev.torg.offers.life.Effect;
import dev.torg.offers.life.Life;
import dev.torg.offers.life.OfferCommand;
import dev.torg.offers.life.Situation;
import dev.torg.offers.life.StoredOffer;
import dev.torg.offers.life.Terms;
import dev.torg.offers.part.ModerationPart;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import java.util.List;
import java.util.Optional;

/// A moderator's opinion on an offer.
///
/// An opinion on a version older than what was judged last comes too late and changes nothing; nor
/// does an approval of a version that the owner has edited since. Both are only recorded. An opinion
/// that the offer's status does not allow is a CONFLICT when given by hand, and only recorded when
/// it comes from the topic, where nobody waits for an answer.
record Judge(OfferId id, Opinion opinion, boolean byHand, Terms terms, long at)
    implements OfferCommand {

  @Override
  public boolean needsModeration() {
    return true;
  }

  @Override
  public Decision decide(Situation situation) {
    StoredOffer current = situation.existing();
    requireKnownVersion(current.version());
    if (about(current) < situation.moderation().getJudgedVersion()) {
      return recordedOnly();
    }
    return switch (opinion.getVerdict()) {
      case BAN -> ban(current, situation.moderation());
      case UNBAN -> unban(current, situation.moderation());
      case OK -> approve(current);
      case VERDICT_UNSPECIFIED, UNRECOGNIZED ->
          throw Failure.invalid(
              "opinion.verdict", "bad verdict", "opinion.verdict", "must be BAN, UNBAN or OK");
    };
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
      if (!Life.may(offer.getStatus(), Status.BANNED)) {
        return refused(offer.getStatus());
      }
      former = offer.getStatusValue();
      Life.move(offer, Status.BANNED);
    }
    offer.clearBanReasons().addAllBanReasons(opinion.getReasonsList());
    return Decision.change(offer, judged(current, former), new Effect.Unqueued());
  }

  /// Leads back to what the offer was; one that was pending still waits for its approval.
  private Decision unban(StoredOffer current, ModerationPart moderation) {
    if (current.status() != Status.BANNED) {
      return refused(current.status());
    }
    if (isUnseen(current)) {
      return recordedOnly();
    }
    Status former = Status.forNumber(moderation.getFormerStatus());
    Offer.Builder offer = current.shown().toBuilder().clearBanReasons();
    Life.move(offer, former);
    Effect queue =
        former == Status.PENDING
            ? new Effect.Queued(Effect.Cause.PENDING)
            : new Effect.Unqueued();
    return Decision.change(offer, judged(current, 0), new Effect.Unqueued(), queue);
  }

  private Decision approve(StoredOffer current) {
    if (current.status() == Status.BANNED || current.status() == Status.REMOVED) {
      return refused(current.status());
    }
    if (isUnseen(current)) {
      return recordedOnly();
    }
    if (current.status() != Status.PENDING) {
      return new Decision.Keep(List.of(judged(current, 0), new Effect.Unqueued()));
    }
    Offer.Builder offer = current.shown().toBuilder();
    Life.move(offer, Status.ACTIVE);
    terms.activate(offer, at);
    return Decision.change(offer, judged(current, 0), new Effect.Unqueued());
  }

  /// Whether the owner has changed the offer since the moderator looked at it.
  private boolean isUnseen(StoredOffer current) {
    return about(current) < current.editedVersion();
  }

  private Effect judged(StoredOffer current, int former) {
    return new Effect.Judged(
        opinion,
        Optional.of(
            ModerationPart.newBuilder()
                .setJudgedVersion(about(current))
                .setFormerStatus(former)
                .build()));
  }

  private Decision refused(Status status) {
    if (byHand) {
      throw Failure.conflict(
          "offer.illegal-transition",
          "an offer that is " + status + " cannot follow the verdict " + opinion.getVerdict());
    }
    return recordedOnly();
  }

  private Decision recordedOnly() {
    return new Decision.Keep(List.of(new Effect.Judged(opinion, Optional.empty())));
  }
}
