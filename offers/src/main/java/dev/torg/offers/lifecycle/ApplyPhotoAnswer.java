package dev.torg.offers.lifecycle;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Photo.Status;
import dev.torg.api.v1.PhotoEvent;
import dev.torg.offers.part.PhotoSource;
import dev.torg.platform.OfferId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Applies the outcome of a photo's preparation to its offer, whatever the offer's status. A photo that
/// becomes ready is new content to moderators, like an edit; one that fails is not.
///
/// A sold offer can no longer be reviewed. If its category would require hiding it until then, a photo that
/// becomes ready after the sale is removed instead.
public record ApplyPhotoAnswer(
    OfferId id, PhotoEvent answer, long answeredAt, PublishingTerms terms, long at)
    implements OfferCommand {
  @Override
  public boolean needsPhotos() {
    return true;
  }

  @Override
  public Decision decide(Situation situation) {
    StoredOffer current = situation.existing();
    PhotoList photos = PhotoList.of(current.shown().getPhotosList(), situation.photos());
    Optional<PhotoSource> acquired = photos.applyAnswer(answer, answeredAt);
    if (acquired.isEmpty()) {
      return new Decision.NoChange(List.of());
    }
    boolean failed = answer.getStatus() == Status.FAILED;
    if (!failed && isTooLate(current)) {
      photos.remove(answer.getPhotoId());
    }
    List<Effect> effects = new ArrayList<>();
    effects.add(new Effect.PhotosChanged(photos.part(), List.of(), photos.removed()));
    if (failed && acquired.get().getFeedTask() > 0) {
      effects.add(new Effect.PhotoFailed(acquired.get().getFeedTask()));
    }
    Offer.Builder after = PhotoEditCommand.showing(current, photos);
    return Review.edit(current.shown(), after, terms.category(after), effects);
  }

  private boolean isTooLate(StoredOffer current) {
    return current.status() == Offer.Status.SOLD
        && Review.isHidden(terms.category(current.shown().toBuilder()));
  }
}
