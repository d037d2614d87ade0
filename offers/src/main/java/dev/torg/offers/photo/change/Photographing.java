package dev.torg.offers.photo.change;

import dev.torg.api.v1.Offer;
import dev.torg.offers.life.Decision;
import dev.torg.offers.life.Effect;
import dev.torg.offers.life.Life;
import dev.torg.offers.life.OfferCommand;
import dev.torg.offers.life.Ownership;
import dev.torg.offers.life.Review;
import dev.torg.offers.life.Situation;
import dev.torg.offers.life.StoredOffer;
import dev.torg.offers.life.Terms;
import dev.torg.offers.photo.PhotoList;
import dev.torg.platform.Caller;
import java.util.List;

/// An owner's command about photos: an edit like any other, so a ban stays and asks for moderation
/// again, and in a premoderated category a photo that is added is reviewed.
sealed interface Photographing extends OfferCommand permits AddPhoto, RemovePhoto, OrderPhotos {
  Caller caller();

  Terms terms();

  /// Whether anything changed.
  boolean change(PhotoList photos);

  @Override
  default boolean needsPhotos() {
    return true;
  }

  @Override
  default Decision decide(Situation situation) {
    StoredOffer current = situation.existing();
    Ownership.requireOwner(caller(), current.shown());
    Life.requireEditable(current.status());
    PhotoList photos = PhotoList.of(current.shown().getPhotosList(), situation.photos());
    if (!change(photos)) {
      return new Decision.Keep(List.of());
    }
    Effect photographed =
        new Effect.Photographed(photos.part(), photos.requested(), photos.removed());
    Offer.Builder after = showing(current, photos);
    return Review.edit(current.shown(), after, terms().category(after), List.of(photographed));
  }

  static Offer.Builder showing(StoredOffer offer, PhotoList photos) {
    return offer.shown().toBuilder().clearPhotos().addAllPhotos(photos.shown());
  }
}
