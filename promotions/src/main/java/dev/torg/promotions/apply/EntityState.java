package dev.torg.promotions.apply;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import org.jspecify.annotations.Nullable;

/// The status of an offer as of one of its versions.
///
/// @param seller empty if the offer does not exist
public record EntityState(Status status, long version, String seller) {
  /// An offer that does not exist (any more).
  public static final EntityState GONE = new EntityState(Status.REMOVED, 0, "");

  public static EntityState of(@Nullable Offer offer) {
    return offer == null
        ? GONE
        : new EntityState(offer.getStatus(), offer.getVersion(), offer.getSellerId());
  }

  /// Whether promotions of an offer with this status run. They keep running while it is withdrawn, expired or pending.
  public boolean isPromotable() {
    return isPromotable(status);
  }

  static boolean isPromotable(Status status) {
    return switch (status) {
      case ACTIVE, PENDING, EXPIRED, WITHDRAWN -> true;
      case BANNED, SOLD, REMOVED, STATUS_UNSPECIFIED, UNRECOGNIZED -> false;
    };
  }
}
