package dev.torg.offers.draft;

import dev.torg.api.v1.Offer;
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
    Optional<OfferId> offer,
    Optional<String> takenBy) {

  static DraftRow empty(UUID id, String owner, String category, Instant now) {
    return new DraftRow(
        id,
        owner,
        now,
        Offer.newBuilder().setCategory(category).build(),
        Optional.empty(),
        Optional.empty());
  }

  DraftRow ownedBy(String owner) {
    return new DraftRow(id, owner, updatedAt, content, Optional.empty(), Optional.empty());
  }

  DraftRow reset(String category, Instant now) {
    return empty(id, owner, category, now);
  }

  DraftRow saying(Offer content, Instant now) {
    return new DraftRow(id, owner, now, content, offer, takenBy);
  }
}
