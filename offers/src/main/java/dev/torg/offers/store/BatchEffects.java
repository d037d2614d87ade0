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

/// The effects of a batch, sorted by where they are written. Of an offer's parts only the last state
/// is left; of its place in the queue only what the batch ends with.
final class BatchEffects {
  final List<SellerCounterStore.Sale> sales = new ArrayList<>();
  final List<ModerationStore.Recorded> opinions = new ArrayList<>();
  final List<DraftPublicationStore.Published> published = new ArrayList<>();
  final List<PhotoFailureListener.Failed> failedPhotos = new ArrayList<>();
  private final Map<OfferId, PhotoPartStore.Change> photos = new TreeMap<>();
  private final Map<OfferId, ModerationStore.Part> parts = new TreeMap<>();
  private final Map<OfferId, ModerationQueueStore.Waiting> queued = new TreeMap<>();
  private final List<OfferId> unqueued = new ArrayList<>();

  void add(OfferInBatch slot) {
    slot.effects.forEach(happened -> add(slot, happened.effect(), happened.at()));
  }

  List<ModerationStore.Part> parts() {
    return List.copyOf(parts.values());
  }

  List<PhotoPartStore.Change> photos() {
    return List.copyOf(photos.values());
  }

  List<ModerationQueueStore.Waiting> queued() {
    return List.copyOf(queued.values());
  }

  List<OfferId> unqueued() {
    return unqueued;
  }

  private void add(OfferInBatch slot, Effect effect, Instant at) {
    switch (effect) {
      case Effect.Sold sold ->
          sales.add(
              new SellerCounterStore.Sale(
                  slot.id, slot.current().orElseThrow().seller(), sold.price(), at));
      case Effect.OpinionRecorded judged -> addOpinion(slot, judged, at);
      case Effect.Enqueued waits -> enqueue(slot.id, waits.cause(), at);
      case Effect.Dequeued _ -> {
        queued.remove(slot.id);
        unqueued.add(slot.id);
      }
      case Effect.PhotosChanged photographed -> addPhotoChange(slot, photographed, at);
      case Effect.PhotoFailed failed ->
          failedPhotos.add(
              new PhotoFailureListener.Failed(
                  slot.id, slot.current().orElseThrow().seller(), failed.feedTask()));
      case Effect.DraftPublished draft ->
          published.add(new DraftPublicationStore.Published(draft.draft(), slot.id));
    }
  }

  private void addOpinion(OfferInBatch slot, Effect.OpinionRecorded judged, Instant at) {
    opinions.add(new ModerationStore.Recorded(slot.id, judged.opinion(), judged.applied(), at));
    long version = slot.current().orElseThrow().version();
    parts.put(slot.id, new ModerationStore.Part(slot.id, version, judged.part()));
  }

  private void addPhotoChange(OfferInBatch slot, Effect.PhotosChanged photographed, Instant at) {
    PhotoPartStore.Change former = photos.get(slot.id);
    List<PhotoSource> requested = new ArrayList<>(former == null ? List.of() : former.requested());
    List<String> removed = new ArrayList<>(former == null ? List.of() : former.removed());
    requested.addAll(photographed.requested());
    removed.addAll(photographed.removed());
    requested.removeIf(photo -> removed.contains(photo.getId()));
    long version = slot.current().orElseThrow().version();
    photos.put(
        slot.id,
        new PhotoPartStore.Change(
            slot.id,
            version,
            photographed.part(),
            requested,
            removed,
            photographed.fed(),
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
