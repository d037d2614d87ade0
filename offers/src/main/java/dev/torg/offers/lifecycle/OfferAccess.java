package dev.torg.offers.lifecycle;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.Caller;
import dev.torg.platform.Caller.Role;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Decides who may see an offer and who may change it. An offer that a caller may not see is NOT_FOUND.
public final class OfferAccess {
  /// How long a removed offer stays visible to its owner after its last change. Shorter than the time after
  /// which it is archived.
  public static final Duration REMOVED_VISIBLE = Duration.ofDays(30);

  private OfferAccess() {}

  /// Public statuses are visible to everybody, other statuses to the owner and to staff; a removed offer
  /// stays visible to its owner for [#REMOVED_VISIBLE].
  public static boolean isVisible(Offer offer, String viewer, boolean staff, Instant now) {
    return StatusTransitions.isPublic(offer.getStatus())
        || staff
        || (offer.getSellerId().equals(viewer) && !isRemovedForLong(offer, now));
  }

  /// The last change of a removed offer is its removal, or a photo answer shortly after it.
  private static boolean isRemovedForLong(Offer offer, Instant now) {
    Instant removedAt = EpochMicros.instant(EpochMicros.of(offer.getUpdatedAt()));
    return offer.getStatus() == Status.REMOVED && !now.isBefore(removedAt.plus(REMOVED_VISIBLE));
  }

  public static boolean canView(Optional<Caller> caller, Offer offer, Instant now) {
    return isVisible(
        offer,
        caller.map(Caller::subject).orElse(""),
        caller.filter(OfferAccess::isStaff).isPresent(),
        now);
  }

  /// The offers that the caller may see, in the same order.
  public static <K> Map<K, Offer> visible(
      Optional<Caller> caller, Map<K, Offer> offers, Instant now) {
    Map<K, Offer> visible = new LinkedHashMap<>(offers);
    visible.values().removeIf(offer -> !canView(caller, offer, now));
    return visible;
  }

  /// The offer if it exists and the caller may see it; otherwise NOT_FOUND.
  public static Offer requireVisible(Optional<Caller> caller, Optional<Offer> offer, Instant now) {
    return offer
        .filter(existing -> canView(caller, existing, now))
        .orElseThrow(OfferAccess::notFound);
  }

  /// Only the owner may change an offer; another caller who may see it gets FORBIDDEN.
  public static void requireOwner(Caller caller, Offer offer, Instant now) {
    if (!canView(Optional.of(caller), offer, now)) {
      throw notFound();
    }
    if (!owns(caller, offer.getSellerId())) {
      throw Failure.forbidden("offer.not-yours", "only its owner may change an offer");
    }
  }

  /// A seller's private data is visible to the seller, moderators, services and admins.
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

  /// The failure for an offer that does not exist or is not visible to the caller.
  public static Failure notFound() {
    return Failure.notFound("offer.not-found", "no such offer");
  }
}
