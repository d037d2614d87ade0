package dev.torg.offers.store;

import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.partitioningBy;
import static java.util.stream.Collectors.toList;

import dev.torg.api.v1.Preset.Name;
import dev.torg.offers.archive.ArchiveStore;
import dev.torg.offers.cabinet.CounterStore;
import dev.torg.offers.cabinet.PresetStore;
import dev.torg.offers.cabinet.Presets;
import dev.torg.offers.draft.PublishedDrafts;
import dev.torg.offers.life.Micros;
import dev.torg.offers.moderation.ModerationStore;
import dev.torg.offers.moderation.QueueStore;
import dev.torg.offers.photo.FailedPhotos;
import dev.torg.offers.photo.PhotoRequests;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.coalesce.Outcome;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.Outbox;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Runs one batch of commands inside one transaction: lock and read, decide, write.
final class BatchWriter {
  private final OfferStore offers = new OfferStore();
  private final PriceStore prices = new PriceStore();
  private final PresetStore presets = new PresetStore();
  private final CounterStore counters = new CounterStore();
  private final ModerationStore moderation = new ModerationStore();
  private final QueueStore queue = new QueueStore();
  private final PublishedDrafts drafts = new PublishedDrafts();
  private final ArchiveStore archive = new ArchiveStore();
  private final Outbox outbox;
  private final PhotoRequests photos;
  private final FailedPhotos failedPhotos;
  private final Duration archiveAfter;

  BatchWriter(Outbox outbox, FailedPhotos failedPhotos, Duration archiveAfter) {
    this.outbox = outbox;
    this.photos = new PhotoRequests(outbox);
    this.failedPhotos = failedPhotos;
    this.archiveAfter = archiveAfter;
  }

  /// One outcome a request, in their order.
  List<Outcome<Written>> write(Tx tx, List<Request> requests) throws SQLException {
    OfferBatch batch = new OfferBatch(requests, archiveAfter);
    read(tx, batch);
    List<Outcome<Written>> outcomes = batch.decide();
    List<OfferId> taken = insert(tx, batch);
    if (!taken.isEmpty()) {
      outcomes = batch.without(taken, outcomes);
    }
    update(tx, batch.slots());
    return outcomes;
  }

  Map<OfferId, OfferStore.Tokened> written(Tx tx, List<Request> requests) throws SQLException {
    return offers.tokens(tx, requests.stream().map(Request::id).distinct().toList());
  }

  private void read(Tx tx, OfferBatch batch) throws SQLException {
    batch.foundDrafts(drafts.lock(tx, batch.draftKeys()));
    List<OfferStore.Found> rows = offers.lock(tx, batch.ids());
    List<ArchiveStore.Place> archived = OfferStore.archived(rows);
    batch.found(rows, archive.read(tx, archived));
    for (var part : moderation.parts(tx, batch.idsToModerate(), archived).entrySet()) {
      batch.slot(part.getKey()).moderation(part.getValue());
    }
    for (var part : photos.parts(tx, batch.idsWithPhotos(), archived).entrySet()) {
      batch.slot(part.getKey()).photos(part.getValue());
    }
  }

  /// Answers the ids that were already taken.
  private List<OfferId> insert(Tx tx, OfferBatch batch) throws SQLException {
    List<Slot> made = batch.slots().stream().filter(Slot::isNew).toList();
    if (made.isEmpty()) {
      return List.of();
    }
    var inserted = offers.insert(tx, made.stream().map(Slot::row).toList());
    return made.stream().map(slot -> slot.id).filter(id -> !inserted.contains(id)).toList();
  }

  private void update(Tx tx, List<Slot> slots) throws SQLException {
    archive.bringBack(tx, slots.stream().flatMap(slot -> slot.leavesArchive().stream()).toList());
    Map<Boolean, List<OfferStore.OfferRow>> changed =
        slots.stream()
            .filter(Slot::isChanged)
            .collect(partitioningBy(Slot::isBodyOnly, mapping(Slot::row, toList())));
    offers.updateBody(tx, changed.getOrDefault(true, List.of()));
    offers.update(tx, changed.getOrDefault(false, List.of()));
    prices.add(tx, slots.stream().flatMap(slot -> slot.prices.stream()).toList());
    Effects effects = new Effects();
    slots.forEach(effects::add);
    if (!effects.failedPhotos.isEmpty()) {
      failedPhotos.count(tx, effects.failedPhotos);
    }
    List<PresetStore.CountChange> counts = list(tx, slots);
    takeEffect(tx, effects);
    outbox.append(tx, slots.stream().flatMap(slot -> slot.events.stream()).toList());
    presets.count(tx, counts); // Last: others of the seller wait for these rows until we commit.
  }

  /// Brings presets up to what the offers have become; answers what that does to their counts.
  private List<PresetStore.CountChange> list(Tx tx, List<Slot> slots) throws SQLException {
    List<PresetStore.Listed> added = new ArrayList<>();
    List<PresetStore.Listed> removed = new ArrayList<>();
    for (Slot slot : slots) {
      if (slot.isNew() || slot.isChanged()) {
        Presets after = Presets.of(slot.current().orElseThrow().shown());
        added.addAll(listed(slot, after.without(slot.listedBefore())));
        removed.addAll(listed(slot, slot.listedBefore().without(after)));
      }
    }
    presets.remove(tx, removed);
    presets.add(tx, added);
    return counts(added, removed);
  }

  private static List<PresetStore.Listed> listed(Slot slot, Presets names) {
    if (names.equals(Presets.NONE)) {
      return List.of();
    }
    var offer = slot.current().orElseThrow();
    Instant created = Micros.instant(Micros.of(offer.shown().getCreatedAt()));
    return names.names().stream()
        .map(name -> new PresetStore.Listed(slot.id.home(), offer.seller(), name, created, slot.id))
        .toList();
  }

  private record CountKey(Home home, String seller, Name preset) {}

  /// One change a count, whatever the number of offers behind it.
  private static List<PresetStore.CountChange> counts(
      List<PresetStore.Listed> added, List<PresetStore.Listed> removed) {
    Map<CountKey, Long> changes = new HashMap<>();
    added.forEach(row -> changes.merge(key(row), 1L, Long::sum));
    removed.forEach(row -> changes.merge(key(row), -1L, Long::sum));
    return changes.entrySet().stream()
        .filter(change -> change.getValue() != 0)
        .map(
            change ->
                new PresetStore.CountChange(
                    change.getKey().home(),
                    change.getKey().seller(),
                    change.getKey().preset(),
                    change.getValue()))
        .toList();
  }

  private static CountKey key(PresetStore.Listed row) {
    return new CountKey(row.home(), row.seller(), row.preset());
  }

  private void takeEffect(Tx tx, Effects effects) throws SQLException {
    photos.write(tx, effects.photos());
    counters.record(tx, effects.sales);
    moderation.save(tx, effects.parts());
    moderation.record(tx, effects.opinions);
    queue.leave(tx, effects.unqueued());
    queue.enter(tx, effects.queued());
    drafts.mark(tx, effects.published);
  }
}
