package dev.torg.offers.photo.change;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.offers.life.Decision;
import dev.torg.offers.life.Effect;
import dev.torg.offers.life.Life;
import dev.torg.offers.life.OfferCommand;
import dev.torg.offers.life.Ownership;
import dev.torg.offers.life.Situation;
import dev.torg.offers.life.StoredOffer;
import dev.torg.offers.photo.PhotoList;
import dev.torg.platform.Caller;
import java.util.ArrayList;
import java.util.List;

/// An owner's command about photos: an edit like any other, so a ban stays and asks for moderation
/// again.
sealed interface Photographing extends OfferCommand permits AddPhoto, RemovePhoto, OrderPhotos {
  Caller caller();

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
    List<Effect> effects = new ArrayList<>();
    effects.add(new Effect.Photographed(photos.part(), photos.requested(), photos.removed()));
    if (current.status() == Status.BANNED) {
      effects.add(new Effect.Queued(Effect.Cause.EDITED));
    }
    return new Decision.Change(showing(current, photos), true, effects);
  }

  static Offer.Builder showing(StoredOffer offer, PhotoList photos) {
    return offer.shown().toBuilder().clearPhotos().addAllPhotos(photos.shown());
  }
}
