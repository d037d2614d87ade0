package dev.torg.offers.draft;

import dev.torg.api.v1.Draft;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Photo;
import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.offers.lifecycle.PhotoList;
import dev.torg.offers.part.PhotosPart;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// A draft as stored. It is published if it has an offer, and frozen while a login takes it over.
record DraftRow(
    UUID id,
    String owner,
    Instant updatedAt,
    Offer content,
    PhotosPart photos,
    Optional<OfferId> offer,
    Optional<String> takenOverBy) {

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

  /// Replaces the content but keeps the photos.
  DraftRow withContent(Offer newOffer, Instant now) {
    Offer with = newOffer.toBuilder().addAllPhotos(content.getPhotosList()).build();
    return new DraftRow(id, owner, now, with, photos, offer, takenOverBy);
  }

  DraftRow showing(PhotoList list, Instant now) {
    Offer with = content.toBuilder().clearPhotos().addAllPhotos(list.shown()).build();
    return new DraftRow(id, owner, now, with, list.part(), offer, takenOverBy);
  }

  List<String> photoIds() {
    return content.getPhotosList().stream().map(Photo::getId).toList();
  }

  PhotoList photoList() {
    return PhotoList.of(content.getPhotosList(), photos);
  }

  /// Returns the locked draft, or fails if it can no longer be changed.
  static DraftRow changeable(Optional<DraftRow> locked) {
    DraftRow draft = locked.orElseThrow(() -> Failure.notFound("draft.not-found", "no such draft"));
    if (draft.takenOverBy().isPresent()) {
      throw Failure.conflict("draft.taken-over", "the draft is being taken over by a login");
    }
    if (draft.offer().isPresent()) {
      throw Failure.conflict("draft.published", "the draft is published: edit the offer");
    }
    return draft;
  }

  Draft encode() {
    return Draft.newBuilder()
        .setId(id.toString())
        .setOffer(content)
        .setUpdatedAt(EpochMicros.timestamp(EpochMicros.of(updatedAt)))
        .build();
  }

  DraftKey key() {
    return new DraftKey(owner, id);
  }
}
