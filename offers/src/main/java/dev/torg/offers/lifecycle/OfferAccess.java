package dev.torg.offers.lifecycle;

import dev.torg.api.v1.Offer;
import dev.torg.platform.Caller;
import dev.torg.platform.Caller.Role;
import dev.torg.platform.Failure;
import java.util.Optional;

/// Who may see an offer and who may change it. What a caller may not see does not exist for them.
public final class OfferAccess {
  private OfferAccess() {}

  public static boolean canView(Optional<Caller> caller, Offer offer) {
    return StatusTransitions.isPublic(offer.getStatus())
        || caller.filter(c -> owns(c, offer.getSellerId()) || isStaff(c)).isPresent();
  }

  /// The offer's owner may change it; another person who sees it hears FORBIDDEN.
  public static void requireOwner(Caller caller, Offer offer) {
    if (!canView(Optional.of(caller), offer)) {
      throw Failure.notFound("offer.not-found", "no such offer");
    }
    if (!owns(caller, offer.getSellerId())) {
      throw Failure.forbidden("offer.not-yours", "only its owner may change an offer");
    }
  }

  /// A seller's own affairs: the seller, moderators, services and admins.
  public static void requireSellerOrStaff(Caller caller, String seller) {
    if (!owns(caller, seller) && !isStaff(caller)) {
      throw Failure.forbidden("seller.not-you", "only the seller may see this");
    }
  }

  public static boolean owns(Caller caller, String seller) {
    return caller.subject().equals(seller);
  }

  public static boolean isStaff(Caller caller) {
    return caller.has(Role.MODERATOR) || caller.has(Role.SERVICE) || caller.has(Role.ADMIN);
  }
}
