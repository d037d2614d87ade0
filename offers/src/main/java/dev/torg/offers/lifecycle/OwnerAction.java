package dev.torg.offers.lifecycle;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.Caller;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import java.util.List;

/// An owner's action on an offer that needs no further content.
public record OwnerAction(OfferId id, Caller caller, Action action, PublishingTerms terms, long at)
    implements OfferCommand {
  public enum Action {
    WITHDRAW,
    REACTIVATE,
    PROLONG,
    REMOVE
  }

  /// A seller acts on many offers at once, and all these commands contend for the seller's counts.
  @Override
  public Object lockKey() {
    return caller.subject();
  }

  @Override
  public boolean needsModeration() {
    return action == Action.REACTIVATE;
  }

  @Override
  public Decision decide(Situation situation) {
    Offer shown = situation.existing().shown();
    OfferAccess.requireOwner(caller, shown, EpochMicros.instant(at));
    Offer.Builder offer = shown.toBuilder();
    return switch (action) {
      case WITHDRAW -> transitioned(offer, Status.WITHDRAWN);
      case REACTIVATE -> reactivated(offer, situation);
      case PROLONG -> prolonged(offer);
      case REMOVE -> removed(offer);
    };
  }

  private static Decision transitioned(Offer.Builder offer, Status to) {
    StatusTransitions.transition(offer, to);
    return Decision.change(offer);
  }

  /// Only moderators change PENDING and BANNED. In a premoderated category an offer edited since its last
  /// approval is reviewed first.
  private Decision reactivated(Offer.Builder offer, Situation situation) {
    if (offer.getStatus() == Status.PENDING || offer.getStatus() == Status.BANNED) {
      throw Failure.conflict("offer.moderation-only", "only a moderator can do that");
    }
    StatusTransitions.transition(offer, Status.ACTIVE);
    if (EpochMicros.of(offer.getExpiresAt()) <= at) {
      terms.activate(offer, at);
    }
    boolean approved = Review.isApproved(situation.existing(), situation.moderation());
    List<Effect> review = approved ? List.of() : Review.request(offer, terms.category(offer));
    return new Decision.Change(offer, false, review);
  }

  private Decision prolonged(Offer.Builder offer) {
    if (offer.getStatus() != Status.ACTIVE) {
      throw Failure.conflict("offer.not-active", "only an active offer can be prolonged");
    }
    terms.prolong(offer, at);
    return Decision.change(offer);
  }

  private static Decision removed(Offer.Builder offer) {
    StatusTransitions.transition(offer, Status.REMOVED);
    return Decision.change(offer, new Effect.Dequeued());
  }
}
