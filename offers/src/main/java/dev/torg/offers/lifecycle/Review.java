package dev.torg.offers.lifecycle;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.Photo;
import dev.torg.offers.category.CategoryNode;
import dev.torg.offers.part.ModerationPart;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Decides when a changed offer must be reviewed by moderators, and whether it stays visible meanwhile.
/// Pure.
///
/// In a premoderated category an offer that shows content no moderator has approved is reviewed: after an
/// edit, when a photo is added or becomes ready, and when a feed restores a removed offer. The category
/// determines whether the offer is hidden meanwhile (PENDING) or keeps its status. A withdrawn offer is
/// reviewed when it is reactivated. A banned offer is queued after every change, in every category, and
/// stays banned.
public final class Review {
  private Review() {}

  /// Whether offers of the category are hidden until an edit is approved.
  public static boolean isHidden(Optional<CategoryNode> category) {
    return isPremoderated(category) && !category.get().visibleWhileReviewed();
  }

  /// Whether the last opinion with an effect was about the current content. An opinion that led to a ban
  /// counts too: the moderator who lifts the ban has seen the content.
  static boolean isApproved(StoredOffer offer, ModerationPart moderation) {
    return moderation.getJudgedVersion() >= offer.editedVersion();
  }

  /// Whether the offer shows content that it did not show before. Photos that were removed, reordered or
  /// have failed do not count.
  static boolean showsMore(Offer before, Offer.Builder after) {
    return !stated(before).equals(stated(after.build()))
        || showsMorePhotos(before.getPhotosList(), after.getPhotosList());
  }

  /// A change of an offer's content, with the given effects and those on moderation.
  public static Decision edit(
      Offer before, Offer.Builder after, Optional<CategoryNode> category, List<Effect> with) {
    boolean more = showsMore(before, after);
    List<Effect> effects = new ArrayList<>(with);
    effects.addAll(ofEdit(before, after, more, category));
    return new Decision.Change(after, more, effects);
  }

  /// The effects of an edit on moderation. Hides the offer if its category requires approval first.
  static List<Effect> ofEdit(
      Offer before, Offer.Builder after, boolean showsMore, Optional<CategoryNode> category) {
    if (after.getStatus() == Status.BANNED) {
      boolean same = after.build().equals(before);
      return same ? List.of() : List.of(new Effect.Enqueued(Effect.Cause.EDITED));
    }
    return showsMore ? request(after, category) : List.of();
  }

  /// Requests a review of a public offer and hides it if its category requires that. An offer that is not
  /// public is in the queue already, or is reviewed before it becomes public.
  static List<Effect> request(Offer.Builder offer, Optional<CategoryNode> category) {
    if (!isPremoderated(category) || !StatusTransitions.isPublic(offer.getStatus())) {
      return List.of();
    }
    Effect edited = new Effect.Enqueued(Effect.Cause.EDITED);
    if (!isHidden(category) || offer.getStatus() == Status.SOLD) {
      return List.of(edited);
    }
    StatusTransitions.transition(offer, Status.PENDING);
    return List.of(new Effect.Enqueued(Effect.Cause.PENDING), edited);
  }

  private static boolean isPremoderated(Optional<CategoryNode> category) {
    return category.filter(CategoryNode::premoderated).isPresent();
  }

  /// The content stated by the seller, without photos and fields set by Torg.
  private static Offer stated(Offer offer) {
    return PublishingTerms.copySellerContent(Offer.newBuilder(), offer).build();
  }

  private static boolean showsMorePhotos(List<Photo> before, List<Photo> after) {
    Map<String, Photo.Status> formerStatuses = new HashMap<>();
    before.forEach(photo -> formerStatuses.put(photo.getId(), photo.getStatus()));
    return after.stream().anyMatch(photo -> isMore(photo, formerStatuses.get(photo.getId())));
  }

  private static boolean isMore(Photo photo, Photo.@Nullable Status former) {
    return switch (photo.getStatus()) {
      case READY -> former != Photo.Status.READY;
      case PENDING -> former == null;
      case FAILED, STATUS_UNSPECIFIED, UNRECOGNIZED -> false;
    };
  }
}
