package dev.torg.offers.lifecycle;

import dev.torg.api.v1.Offer;
import dev.torg.platform.Caller;
import dev.torg.platform.EpochMicros;
import java.util.List;

/// An owner's change of the photos. It is treated like an edit: a ban stays and the offer is queued again,
/// and in a premoderated category an added photo is reviewed.
sealed interface PhotoEditCommand extends OfferCommand permits AddPhoto, RemovePhoto, OrderPhotos {
  Caller caller();

  PublishingTerms terms();

  /// Returns whether anything changed.
  boolean change(PhotoList photos);

  @Override
  default boolean needsPhotos() {
    return true;
  }

  @Override
  default Decision decide(Situation situation) {
    StoredOffer current = situation.existing();
    OfferAccess.requireOwner(caller(), current.shown(), EpochMicros.instant(at()));
    StatusTransitions.requireEditable(current.status());
    PhotoList photos = PhotoList.of(current.shown().getPhotosList(), situation.photos());
    if (!change(photos)) {
      return new Decision.NoChange(List.of());
    }
    Effect photosChanged =
        new Effect.PhotosChanged(photos.part(), photos.requested(), photos.removed());
    Offer.Builder after = showing(current, photos);
    return Review.edit(current.shown(), after, terms().category(after), List.of(photosChanged));
  }

  static Offer.Builder showing(StoredOffer offer, PhotoList photos) {
    return offer.shown().toBuilder().clearPhotos().addAllPhotos(photos.shown());
  }
}
