package dev.torg.offers.store;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.offers.lifecycle.Decision;
import dev.torg.offers.lifecycle.Effect;
import dev.torg.offers.lifecycle.OfferCommand;
import dev.torg.offers.lifecycle.OfferDiff;
import dev.torg.offers.lifecycle.StoredOffer;
import dev.torg.offers.part.ModerationPart;
import dev.torg.offers.part.PhotosPart;
import dev.torg.offers.part.PromotionsPart;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.OfferId;
import dev.torg.platform.outbox.OutboxMessage;
import dev.torg.platform.outbox.OutboxSequence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One offer in a batch: its state as read, its current state, and the rows to write.
final class OfferInBatch {
  final OfferId id;
  final List<OutboxMessage> events = new ArrayList<>();
  final List<PriceStore.Point> prices = new ArrayList<>();
  final List<TimedEffect> effects = new ArrayList<>();
  private final Duration archiveAfter;
  private @Nullable StoredOffer first;
  private @Nullable StoredOffer current;
  private Presets listedBefore = Presets.NONE;
  private ArchiveStore.@Nullable ArchivePosition archived;
  private boolean exists;
  private ModerationPart moderation = ModerationPart.getDefaultInstance();
  private PhotosPart photos = PhotosPart.getDefaultInstance();
  private PromotionsPart promotions = PromotionsPart.getDefaultInstance();
  private byte @Nullable [] body;
  private long token;

  OfferInBatch(OfferId id, Duration archiveAfter) {
    this.id = id;
    this.archiveAfter = archiveAfter;
  }

  /// An effect and when it happened.
  record TimedEffect(Effect effect, Instant at) {}

  void loaded(StoredOffer offer, int presets, ArchiveStore.@Nullable ArchivePosition archived) {
    this.first = offer;
    this.current = offer;
    this.exists = true;
    this.listedBefore = new Presets(presets);
    this.archived = archived;
  }

  void moderation(ModerationPart part) {
    this.moderation = part;
  }

  void photos(PhotosPart part) {
    this.photos = part;
  }

  PhotosPart photos() {
    return photos;
  }

  void promotions(PromotionsPart part) {
    this.promotions = part;
  }

  PromotionsPart promotions() {
    return promotions;
  }

  Optional<StoredOffer> current() {
    return Optional.ofNullable(current);
  }

  ModerationPart moderation() {
    return moderation;
  }

  boolean isNew() {
    return !exists && body != null;
  }

  boolean isChanged() {
    return exists && body != null;
  }

  /// Whether only the body has changed, and no column used by lists.
  boolean isBodyOnly() {
    Offer before = first == null ? Offer.getDefaultInstance() : first.shown();
    Offer after = current == null ? Offer.getDefaultInstance() : current.shown();
    return archived == null
        && before.getStatus() == after.getStatus()
        && before.getStatus() != Status.EXPIRED
        && before.getExpiresAt().equals(after.getExpiresAt())
        && before.getExternalId().equals(after.getExternalId())
        && before.getCategory().equals(after.getCategory())
        && before.getRegion().equals(after.getRegion())
        && listedBefore.equals(Presets.of(after));
  }

  /// The archive position of the body if this batch restores it.
  Optional<ArchiveStore.ArchivePosition> archivePositionToRestore() {
    return isChanged() ? Optional.ofNullable(archived) : Optional.empty();
  }

  Presets listedBefore() {
    return listedBefore;
  }

  /// Makes the decided change the current state and derives version, presets, prices and the event from it.
  StoredOffer change(Decision.Change change, OfferCommand command, long token) {
    StoredOffer before = current;
    long at = before == null ? command.at() : increasing(command.at(), before);
    long version = before == null ? 1 : before.version() + 1;
    Offer shown =
        change.after().setVersion(version).setUpdatedAt(EpochMicros.timestamp(at)).build();
    long seq = OutboxSequence.evenAfter(command.at(), before == null ? 0 : before.seq());
    long edited = change.edited() || before == null ? version : before.editedVersion();
    StoredOffer after = new StoredOffer(id, seq, edited, shown);
    body = shown.toByteArray();
    events.add(OfferEvents.of(before, after, body, at, change.silent()));
    notePrice(before, after, at);
    recordEffects(change.effects(), at);
    this.token = token;
    current = after;
    return after;
  }

  void recordEffects(List<Effect> newEffects, long at) {
    for (Effect effect : newEffects) {
      effects.add(new TimedEffect(effect, EpochMicros.instant(at)));
      switch (effect) {
        case Effect.OpinionRecorded opinionRecorded -> moderation(opinionRecorded.part());
        case Effect.PhotosChanged photosChanged -> photos(photosChanged.part());
        case Effect.PromotionsChanged promotionsChanged -> promotions(promotionsChanged.part());
        case Effect.Sold _,
            Effect.Enqueued _,
            Effect.Dequeued _,
            Effect.PhotoFailed _,
            Effect.DraftPublished _ -> {}
      }
    }
  }

  OfferStore.OfferRow row() {
    StoredOffer offer = current().orElseThrow();
    byte[] bytes = Optional.ofNullable(body).orElseThrow();
    return new OfferStore.OfferRow(
        offer, Presets.of(offer.shown()).bits(), dueAt(offer.shown()), token, bytes);
  }

  /// Update times of one offer strictly increase, even if clocks of machines differ, because the price
  /// history is ordered by them.
  private static long increasing(long at, StoredOffer before) {
    return Math.max(at, EpochMicros.of(before.shown().getUpdatedAt()) + 1);
  }

  private void notePrice(@Nullable StoredOffer before, StoredOffer after, long at) {
    Offer former = before == null ? Offer.getDefaultInstance() : before.shown();
    Offer shown = after.shown();
    if (!OfferDiff.samePrice(former, shown)) {
      prices.add(
          new PriceStore.Point(
              id,
              EpochMicros.instant(at),
              shown.hasPrice() ? Optional.of(shown.getPrice()) : Optional.empty()));
    }
  }

  private @Nullable Instant dueAt(Offer offer) {
    Status status = offer.getStatus();
    if (status == Status.ACTIVE) {
      return EpochMicros.instant(EpochMicros.of(offer.getExpiresAt()));
    }
    return status == Status.EXPIRED || status == Status.REMOVED
        ? EpochMicros.instant(EpochMicros.of(offer.getUpdatedAt())).plus(archiveAfter)
        : null;
  }
}
