package dev.torg.alerts.match;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.alerts.event.AlertContent;
import dev.torg.api.v1.MatchingFields;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.OfferEvent;
import dev.torg.api.v1.Photo;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What an offer's event says, in the words of alerts. `before` is the offer as matching saw it,
/// empty where it was not active: then everything about it is new. `known` says whether it was there
/// at all.
public record OfferChange(
    Offer after,
    Optional<Offer> before,
    boolean known,
    List<String> changed,
    Instant at,
    boolean silent) {
  /// What matching looks at, beside attributes.
  private static final Set<String> MATCHED =
      Set.of("category", "title", "description", "price", "region", "photos");

  /// Nothing when only a stage was written.
  static Optional<OfferChange> parse(byte[] payload) throws InvalidProtocolBufferException {
    OfferEvent event = OfferEvent.parseFrom(payload);
    if (!event.hasAfter()) {
      return Optional.empty();
    }
    Optional<Offer> before =
        event.hasBefore() && event.getBefore().getStatus() == Status.ACTIVE
            ? Optional.of(offer(event.getAfter(), event.getBefore()))
            : Optional.empty();
    return Optional.of(
        new OfferChange(
            event.getAfter(),
            before,
            event.hasBefore(),
            event.getChangedList(),
            AlertContent.instant(event.getAt()),
            event.getSilent()));
  }

  /// Whether it is active now and was not before, for the first time or again.
  boolean becomesActive() {
    return isActive() && before.isEmpty();
  }

  /// Whether it is and was active, and searches may see it otherwise than before.
  boolean isEdited() {
    return isActive()
        && before.isPresent()
        && changed.stream().anyMatch(c -> MATCHED.contains(c) || c.startsWith("attributes."));
  }

  /// Whether it is active again: what its price did meanwhile, or right before, was told nobody.
  boolean isReactivated() {
    return becomesActive() && known && AlertContent.instant(after.getActivatedAt()).isBefore(at);
  }

  boolean changesPrice() {
    return isActive() && before.isPresent() && changed.contains("price");
  }

  /// Whether notifications about it must be taken back.
  boolean isBanned() {
    return after.getStatus() == Status.BANNED
        && changed.contains("status")
        && after.hasActivatedAt();
  }

  boolean isActive() {
    return after.getStatus() == Status.ACTIVE;
  }

  /// Seller and id never change.
  private static Offer offer(Offer after, MatchingFields fields) {
    Offer.Builder offer =
        Offer.newBuilder()
            .setId(after.getId())
            .setSellerId(after.getSellerId())
            .setStatus(fields.getStatus())
            .setCategory(fields.getCategory())
            .setTitle(fields.getTitle())
            .setDescription(fields.getDescription())
            .setRegion(fields.getRegion())
            .putAllAttributes(fields.getAttributesMap());
    if (fields.hasPrice()) {
      offer.setPrice(fields.getPrice());
    }
    if (fields.getHasPhotos()) {
      offer.addPhotos(Photo.newBuilder().setStatus(Photo.Status.READY));
    }
    return offer.build();
  }
}
