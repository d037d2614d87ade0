package dev.torg.offers.lifecycle;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.offers.category.CategoryNode;
import dev.torg.offers.category.ValidatedOffer;
import dev.torg.platform.Caller;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// The owner edits the offer. A ban stays and the offer is queued for moderation again; in a premoderated
/// category the edit is reviewed ([Review]). An edit that changes nothing has no effect on moderation.
public record EditOffer(
    OfferId id, Caller caller, ValidatedOffer checked, OptionalLong version, long at)
    implements OfferCommand {

  @Override
  public Decision decide(Situation situation) {
    StoredOffer current = situation.existing();
    OfferAccess.requireOwner(caller, current.shown(), EpochMicros.instant(at));
    requireVersion(current.version());
    StatusTransitions.requireEditable(current.status());
    requireSameModeration(current, checked.category());
    Offer.Builder after =
        PublishingTerms.copySellerContent(current.shown().toBuilder(), checked.content());
    return Review.edit(current.shown(), after, Optional.of(checked.category()), List.of());
  }

  private void requireVersion(long current) {
    if (version.isPresent() && version.getAsLong() != current) {
      throw Failure.conflict(
          "offer.version-not-current", "the offer has changed: its version is " + current);
    }
  }

  /// Moving an offer into a premoderated category must not bypass moderation.
  static void requireSameModeration(StoredOffer current, CategoryNode category) {
    boolean changesCategory = !category.id().equals(current.shown().getCategory());
    if (changesCategory && current.status() != Status.PENDING && category.premoderated()) {
      throw Failure.conflict(
          "offer.category-premoderated",
          "an offer cannot move into a category that is moderated first");
    }
  }
}
