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

/// The allowed status transitions. Every other one is a CONFLICT.
public final class StatusTransitions {
  /// The owner of a banned offer can only remove it; moderators end a ban with [#unban].
  private static final Map<Status, Set<Status>> NEXT =
      Map.of(
          ACTIVE, Set.of(PENDING, WITHDRAWN, SOLD, EXPIRED, BANNED, REMOVED),
          PENDING, Set.of(ACTIVE, EXPIRED, BANNED, REMOVED),
          WITHDRAWN, Set.of(ACTIVE, BANNED, REMOVED),
          EXPIRED, Set.of(ACTIVE, PENDING, BANNED, REMOVED),
          BANNED, Set.of(REMOVED),
          SOLD, Set.of(BANNED, REMOVED),
          REMOVED, Set.of());

  /// Statuses that can be banned.
  private static final Set<Status> BANNABLE = Set.of(ACTIVE, PENDING, WITHDRAWN, EXPIRED, SOLD);

  /// Statuses in which an offer can be edited. An edit changes the status only of a public offer that
  /// [Review] hides until it is approved.
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

  /// Changes the status, or fails if the transition is not allowed.
  public static void transition(Offer.Builder offer, Status to) {
    if (!isAllowed(offer.getStatus(), to)) {
      throw Failure.conflict(
          "offer.illegal-transition",
          "an offer that is " + offer.getStatus() + " cannot become " + to);
    }
    offer.setStatus(to);
  }

  /// Ends a ban. Restores the former status, as recorded in the moderation part.
  public static void unban(Offer.Builder offer, Status former) {
    if (offer.getStatus() != BANNED || !BANNABLE.contains(former)) {
      throw new IllegalArgumentException(offer.getStatus() + " cannot be unbanned to " + former);
    }
    offer.setStatus(former);
  }

  /// The only transition out of REMOVED: a feed that names a removed offer again restores it.
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
