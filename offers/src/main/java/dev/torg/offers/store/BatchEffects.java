package dev.torg.offers.store;

import dev.torg.offers.lifecycle.Effect;
import dev.torg.offers.part.PhotoSource;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.OfferId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The effects of a batch, grouped by the table they are written to. Only the last state of each part and
/// of each queue entry is retained.
final class BatchEffects {
  final List<SellerCounterStore.Sale> sales = new ArrayList<>();
  final List<ModerationStore.Recorded> opinions = new ArrayList<>();
  final List<DraftPublicationStore.Published> published = new ArrayList<>();
  final List<PhotoFailureListener.Failed> failedPhotos = new ArrayList<>();
  private final Map<OfferId, PhotoPartStore.Change> photos = new TreeMap<>();
  private final Map<OfferId, ModerationStore.Part> parts = new TreeMap<>();
  private final Map<OfferId, PromotionsPartStore.Part> promotions = new TreeMap<>();
  private final Map<OfferId, ModerationQueueStore.Waiting> queued = new TreeMap<>();
  private final List<OfferId> unqueued = new ArrayList<>();

  void add(OfferInBatch offerInBatch) {
    offerInBatch.effects.forEach(
        timedEffect -> add(offerInBatch, timedEffect.effect(), timedEffect.at()));
  }

  List<ModerationStore.Part> parts() {
    return List.copyOf(parts.values());
  }

  List<PhotoPartStore.Change> photos() {
    return List.copyOf(photos.values());
  }

  List<PromotionsPartStore.Part> promotions() {
    return List.copyOf(promotions.values());
  }

  List<ModerationQueueStore.Waiting> queued() {
    return List.copyOf(queued.values());
  }

  List<OfferId> unqueued() {
    return unqueued;
  }

  private void add(OfferInBatch offerInBatch, Effect effect, Instant at) {
    switch (effect) {
      case Effect.Sold sold ->
          sales.add(
              new SellerCounterStore.Sale(
                  offerInBatch.id,
                  offerInBatch.current().orElseThrow().seller(),
                  sold.price(),
                  at));
      case Effect.OpinionRecorded opinionRecorded -> addOpinion(offerInBatch, opinionRecorded, at);
      case Effect.Enqueued enqueued -> enqueue(offerInBatch.id, enqueued.cause(), at);
      case Effect.Dequeued _ -> {
        queued.remove(offerInBatch.id);
        unqueued.add(offerInBatch.id);
      }
      case Effect.PhotosChanged photosChanged -> addPhotoChange(offerInBatch, photosChanged, at);
      case Effect.PromotionsChanged changed ->
          promotions.put(
              offerInBatch.id,
              new PromotionsPartStore.Part(
                  offerInBatch.id, offerInBatch.current().orElseThrow().version(), changed.part()));
      case Effect.PhotoFailed failed ->
          failedPhotos.add(
              new PhotoFailureListener.Failed(
                  offerInBatch.id,
                  offerInBatch.current().orElseThrow().seller(),
                  failed.feedTask()));
      case Effect.DraftPublished draft ->
          published.add(new DraftPublicationStore.Published(draft.draft(), offerInBatch.id));
    }
  }

  private void addOpinion(
      OfferInBatch offerInBatch, Effect.OpinionRecorded opinionRecorded, Instant at) {
    opinions.add(
        new ModerationStore.Recorded(
            offerInBatch.id, opinionRecorded.opinion(), opinionRecorded.applied(), at));
    long version = offerInBatch.current().orElseThrow().version();
    parts.put(
        offerInBatch.id,
        new ModerationStore.Part(offerInBatch.id, version, opinionRecorded.part()));
  }

  private void addPhotoChange(
      OfferInBatch offerInBatch, Effect.PhotosChanged photosChanged, Instant at) {
    PhotoPartStore.Change former = photos.get(offerInBatch.id);
    List<PhotoSource> requested = new ArrayList<>(former == null ? List.of() : former.requested());
    List<String> removed = new ArrayList<>(former == null ? List.of() : former.removed());
    requested.addAll(photosChanged.requested());
    removed.addAll(photosChanged.removed());
    requested.removeIf(photo -> removed.contains(photo.getId()));
    long version = offerInBatch.current().orElseThrow().version();
    photos.put(
        offerInBatch.id,
        new PhotoPartStore.Change(
            offerInBatch.id,
            version,
            photosChanged.part(),
            requested,
            removed,
            photosChanged.fed(),
            EpochMicros.of(at)));
  }

  private void enqueue(OfferId id, Effect.Cause cause, Instant at) {
    queued.merge(
        id,
        new ModerationQueueStore.Waiting(id, cause.bit(), at),
        (old, more) ->
            new ModerationQueueStore.Waiting(id, old.causes() | more.causes(), old.since()));
  }
}
