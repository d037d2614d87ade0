package dev.torg.offers.draft;

import dev.torg.api.v1.Offer;
import dev.torg.offers.life.DraftKey;
import dev.torg.offers.part.PhotosPart;
import dev.torg.offers.photo.PhotoList;
import dev.torg.platform.OfferId;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/// A draft as stored: published when it has an offer, frozen while a login takes it over.
record DraftRow(
    UUID id,
    String owner,
    Instant updatedAt,
    Offer content,
    PhotosPart photos,
    Optional<OfferId> offer,
    Optional<String> takenBy) {

  static DraftRow empty(UUID id, String owner, String category, Instant now) {
    return new DraftRow(
        id,
        owner,
        now,
        Offer.newBuilder().setCategory(category).build(),
        PhotosPart.getDefaultInstance(),
        Optional.empty(),
        Optional.empty());
  }

  DraftRow ownedBy(String owner) {
    return new DraftRow(id, owner, updatedAt, content, photos, Optional.empty(), Optional.empty());
  }

  DraftRow reset(String category, Instant now) {
    return empty(id, owner, category, now);
  }

  /// Something else about the offer; its photos are another matter.
  DraftRow saying(Offer said, Instant now) {
    Offer with = said.toBuilder().addAllPhotos(content.getPhotosList()).build();
    return new DraftRow(id, owner, now, with, photos, offer, takenBy);
  }

  DraftRow showing(PhotoList list, Instant now) {
    Offer with = content.toBuilder().clearPhotos().addAllPhotos(list.shown()).build();
    return new DraftRow(id, owner, now, with, list.part(), offer, takenBy);
  }

  PhotoList photoList() {
    return PhotoList.of(content.getPhotosList(), photos);
  }

  DraftKey key() {
    return new DraftKey(owner, id);
  }
}
