package dev.torg.offers.lifecycle;

import static dev.torg.api.v1.Offer.Status.ACTIVE;
import static dev.torg.api.v1.Offer.Status.BANNED;
import static dev.torg.api.v1.Offer.Status.EXPIRED;
import static dev.torg.api.v1.Offer.Status.PENDING;
import static dev.torg.api.v1.Offer.Status.REMOVED;
import static dev.torg.api.v1.Offer.Status.SOLD;
import static dev.torg.api.v1.Offer.Status.WITHDRAWN;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.Failure;
import java.util.Map;
import java.util.Set;

/// Which status may follow which; everything else is a CONFLICT.
public final class StatusTransitions {
  /// The owner of a banned offer can only remove it; [#unban] is the moderators' way back.
  private static final Map<Status, Set<Status>> NEXT =
      Map.of(
          ACTIVE, Set.of(PENDING, WITHDRAWN, SOLD, EXPIRED, BANNED, REMOVED),
          PENDING, Set.of(ACTIVE, EXPIRED, BANNED, REMOVED),
          WITHDRAWN, Set.of(ACTIVE, BANNED, REMOVED),
          EXPIRED, Set.of(ACTIVE, PENDING, BANNED, REMOVED),
          BANNED, Set.of(REMOVED),
          SOLD, Set.of(BANNED, REMOVED),
          REMOVED, Set.of());

  /// What an offer can have been before its ban.
  private static final Set<Status> BANNABLE = Set.of(ACTIVE, PENDING, WITHDRAWN, EXPIRED, SOLD);

  /// Only these may be edited. An edit changes no status but that of a public offer which [Review]
  /// hides until a moderator has approved it.
  private static final Set<Status> EDITABLE = Set.of(ACTIVE, PENDING, WITHDRAWN, EXPIRED, BANNED);

  /// Visible to everybody; see [OfferAccess#isVisible] for the others.
  private static final Set<Status> PUBLIC = Set.of(ACTIVE, EXPIRED, SOLD);

  private StatusTransitions() {}

  public static boolean isAllowed(Status from, Status to) {
    return NEXT.getOrDefault(from, Set.of()).contains(to);
  }

  public static boolean isPublic(Status status) {
    return PUBLIC.contains(status);
  }

  /// Moves the offer to the status or refuses.
  public static void transition(Offer.Builder offer, Status to) {
    if (!isAllowed(offer.getStatus(), to)) {
      throw Failure.conflict(
          "offer.illegal-transition",
          "an offer that is " + offer.getStatus() + " cannot become " + to);
    }
    offer.setStatus(to);
  }

  /// Ends a ban: restores the status from before, as recorded in the moderation part.
  public static void unban(Offer.Builder offer, Status former) {
    if (offer.getStatus() != BANNED || !BANNABLE.contains(former)) {
      throw new IllegalArgumentException(offer.getStatus() + " cannot be unbanned to " + former);
    }
    offer.setStatus(former);
  }

  /// The one way back from REMOVED: a feed that names a removed offer again brings it back.
  static void restoreRemoved(Offer.Builder offer, Status to) {
    if (offer.getStatus() != REMOVED || (to != ACTIVE && to != PENDING && to != BANNED)) {
      throw new IllegalArgumentException(offer.getStatus() + " cannot be revived as " + to);
    }
    offer.setStatus(to);
  }

  public static void requireEditable(Status status) {
    if (!EDITABLE.contains(status)) {
      throw Failure.conflict("offer.not-editable", "an offer that is " + status + " is final");
    }
  }
}
