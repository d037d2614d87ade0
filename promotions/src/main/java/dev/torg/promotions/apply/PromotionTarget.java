package dev.torg.promotions.apply;

import dev.torg.api.v1.Offer.Status;
import dev.torg.promotions.PromotedEntity;
import java.time.Instant;
import java.util.Optional;

/// The row that is locked by every change of an entity's promotions.
///
/// @param seq of the last event; 0 if there was none
/// @param status of the offer, as an event on `torg.offers` reported it or a change of the promotions read it
/// @param statusVersion the version of the offer with this status
/// @param raisedAt when the entity was raised last
record PromotionTarget(
    PromotedEntity entity,
    String seller,
    long seq,
    Status status,
    long statusVersion,
    Optional<Instant> raisedAt) {
  /// A new row, with the status of the offer as read before: events about earlier versions have no effect.
  static PromotionTarget of(PromotedEntity entity, EntityState read) {
    return new PromotionTarget(
        entity, read.seller(), 0, read.status(), read.version(), Optional.empty());
  }

  private PromotionTarget withStatus(EntityState state) {
    return new PromotionTarget(entity, seller, seq, state.status(), state.version(), raisedAt);
  }

  PromotionTarget withSeq(long newSeq) {
    return new PromotionTarget(entity, seller, newSeq, status, statusVersion, raisedAt);
  }

  PromotionTarget raised(Instant at) {
    return new PromotionTarget(entity, seller, seq, status, statusVersion, Optional.of(at));
  }

  /// With the newer of the status that was read or reported and the recorded one.
  PromotionTarget updated(EntityState state) {
    return state.version() > statusVersion ? withStatus(state) : this;
  }
}
