package dev.torg.alerts.match;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.MatchingFields;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.OfferEvent;
import dev.torg.api.v1.Photo;
import dev.torg.platform.EpochMicros;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// An event of an offer, as alerts see it. `before` is the offer as matching saw it, empty if it was not
/// active: then everything about it is new. `existed` is whether the offer existed before.
public record OfferChange(
    Offer after,
    Optional<Offer> before,
    boolean existed,
    List<String> changed,
    Instant at,
    boolean silent) {
  /// The fields that matching reads, in addition to attributes.
  private static final Set<String> MATCHED =
      Set.of("category", "title", "description", "price", "region", "photos");

  /// Empty if only a stage was written.
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
            EpochMicros.instant(event.getAt()),
            event.getSilent()));
  }

  /// Whether it is active now and was not before, for the first time or again.
  boolean becomesActive() {
    return isActive() && before.isEmpty();
  }

  /// Whether it is and was active, and a field that matching reads has changed.
  boolean isEdited() {
    return isActive()
        && before.isPresent()
        && changed.stream().anyMatch(c -> MATCHED.contains(c) || c.startsWith("attributes."));
  }

  /// Whether it is active again: price changes while it was not active, or just before, caused no alerts.
  boolean isReactivated() {
    return becomesActive() && existed && EpochMicros.instant(after.getActivatedAt()).isBefore(at);
  }

  boolean changesPrice() {
    return isActive() && before.isPresent() && changed.contains("price");
  }

  /// Whether notifications about it must be withdrawn.
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
