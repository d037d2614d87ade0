package dev.torg.offers.store;

import dev.torg.offers.cabinet.CounterStore;
import dev.torg.offers.draft.PublishedDrafts;
import dev.torg.offers.life.Effect;
import dev.torg.offers.life.Micros;
import dev.torg.offers.moderation.ModerationStore;
import dev.torg.offers.moderation.QueueStore;
import dev.torg.offers.part.PhotoSource;
import dev.torg.offers.photo.FailedPhotos;
import dev.torg.offers.photo.PhotoRequests;
import dev.torg.platform.OfferId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The effects of a batch, sorted by where they are written. Of an offer's parts only the last state
/// is left; of its place in the queue only what the batch ends with.
final class Effects {
  final List<CounterStore.Sale> sales = new ArrayList<>();
  final List<ModerationStore.Recorded> opinions = new ArrayList<>();
  final List<PublishedDrafts.Published> published = new ArrayList<>();
  final List<FailedPhotos.Failed> failedPhotos = new ArrayList<>();
  private final Map<OfferId, PhotoRequests.Change> photos = new TreeMap<>();
  private final Map<OfferId, ModerationStore.Part> parts = new TreeMap<>();
  private final Map<OfferId, QueueStore.Waiting> queued = new TreeMap<>();
  private final List<OfferId> unqueued = new ArrayList<>();

  void add(Slot slot) {
    slot.effects.forEach(happened -> add(slot, happened.effect(), happened.at()));
  }

  List<ModerationStore.Part> parts() {
    return List.copyOf(parts.values());
  }

  List<PhotoRequests.Change> photos() {
    return List.copyOf(photos.values());
  }

  List<QueueStore.Waiting> queued() {
    return List.copyOf(queued.values());
  }

  List<OfferId> unqueued() {
    return unqueued;
  }

  private void add(Slot slot, Effect effect, Instant at) {
    switch (effect) {
      case Effect.Sold sold ->
          sales.add(
              new CounterStore.Sale(
                  slot.id, slot.current().orElseThrow().seller(), sold.price(), at));
      case Effect.Judged judged -> judged(slot, judged, at);
      case Effect.Queued waits -> enqueue(slot.id, waits.cause(), at);
      case Effect.Unqueued _ -> {
        queued.remove(slot.id);
        unqueued.add(slot.id);
      }
      case Effect.Photographed photographed -> photographed(slot, photographed, at);
      case Effect.PhotoFailed failed ->
          failedPhotos.add(
              new FailedPhotos.Failed(
                  slot.id, slot.current().orElseThrow().seller(), failed.feedTask()));
      case Effect.DraftPublished draft ->
          published.add(new PublishedDrafts.Published(draft.draft(), slot.id));
    }
  }

  private void judged(Slot slot, Effect.Judged judged, Instant at) {
    opinions.add(new ModerationStore.Recorded(slot.id, judged.opinion(), judged.applied(), at));
    long version = slot.current().orElseThrow().version();
    parts.put(slot.id, new ModerationStore.Part(slot.id, version, judged.part()));
  }

  private void photographed(Slot slot, Effect.Photographed photographed, Instant at) {
    PhotoRequests.Change former = photos.get(slot.id);
    List<PhotoSource> requested = new ArrayList<>(former == null ? List.of() : former.requested());
    List<String> removed = new ArrayList<>(former == null ? List.of() : former.removed());
    requested.addAll(photographed.requested());
    removed.addAll(photographed.removed());
    requested.removeIf(photo -> removed.contains(photo.getId()));
    long version = slot.current().orElseThrow().version();
    photos.put(
        slot.id,
        new PhotoRequests.Change(
            slot.id,
            version,
            photographed.part(),
            requested,
            removed,
            photographed.fed(),
            Micros.of(at)));
  }

  private void enqueue(OfferId id, Effect.Cause cause, Instant at) {
    queued.merge(
        id,
        new QueueStore.Waiting(id, cause.bit(), at),
        (old, more) -> new QueueStore.Waiting(id, old.causes() | more.causes(), old.since()));
  }
}
