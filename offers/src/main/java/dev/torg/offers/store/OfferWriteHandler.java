package dev.torg.offers.store;

import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.partitioningBy;
import static java.util.stream.Collectors.toList;

import dev.torg.api.v1.Preset.Name;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.coalesce.Outcome;
import dev.torg.platform.coalesce.WriteHandler;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.Outbox;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Runs one batch of commands inside one transaction: lock and read, decide, write. The order of the
/// statements is the lock order of docs/data-model.md#lock-order.
final class OfferWriteHandler implements WriteHandler<OfferWriteRequest, OfferWriteResult> {
  private final OfferStore offers = new OfferStore();
  private final PriceStore prices = new PriceStore();
  private final PresetStore presets = new PresetStore();
  private final SellerCounterStore counters = new SellerCounterStore();
  private final ModerationStore moderation = new ModerationStore();
  private final ModerationQueueStore queue = new ModerationQueueStore();
  private final PromotionsPartStore promotions = new PromotionsPartStore();
  private final DraftPublicationStore drafts = new DraftPublicationStore();
  private final ArchiveStore archive = new ArchiveStore();
  private final Outbox outbox;
  private final PhotoPartStore photos;
  private final PhotoFailureListener failureListener;
  private final Duration archiveAfter;

  OfferWriteHandler(Outbox outbox, PhotoFailureListener failureListener, Duration archiveAfter) {
    this.outbox = outbox;
    this.photos = new PhotoPartStore(outbox);
    this.failureListener = failureListener;
    this.archiveAfter = archiveAfter;
  }

  @Override
  public Home home(OfferWriteRequest request) {
    return request.id().home();
  }

  @Override
  public Object lockKey(OfferWriteRequest request) {
    return request.command().lockKey();
  }

  @Override
  public List<Outcome<OfferWriteResult>> apply(Tx tx, List<OfferWriteRequest> requests)
      throws SQLException {
    OfferBatch batch = new OfferBatch(requests, archiveAfter);
    read(tx, batch);
    List<Outcome<OfferWriteResult>> outcomes = batch.decide();
    List<OfferId> accepted = insert(tx, batch);
    if (!accepted.isEmpty()) {
      outcomes = batch.without(accepted, outcomes);
    }
    update(tx, batch.slots());
    return outcomes;
  }

  /// A row contains the token of its last writer. If that is another token, it is unknown whether the
  /// request was applied, and its result is empty.
  @Override
  public List<Optional<OfferWriteResult>> recover(Tx tx, List<OfferWriteRequest> requests)
      throws SQLException {
    Map<OfferId, OfferStore.RowWithToken> rows =
        offers.tokens(tx, requests.stream().map(OfferWriteRequest::id).distinct().toList());
    return requests.stream().map(request -> recovered(rows, request)).toList();
  }

  private static Optional<OfferWriteResult> recovered(
      Map<OfferId, OfferStore.RowWithToken> rows, OfferWriteRequest request) {
    return Optional.ofNullable(rows.get(request.id()))
        .filter(row -> row.token() == request.token())
        .map(row -> new OfferWriteResult.Current(row.offer()));
  }

  private void read(Tx tx, OfferBatch batch) throws SQLException {
    batch.addDrafts(drafts.lock(tx, batch.draftKeys()));
    List<OfferStore.LockedRow> rows = offers.lock(tx, batch.ids());
    List<ArchiveStore.ArchivePosition> archived = OfferStore.archived(rows);
    batch.addRows(rows, archive.read(tx, archived));
    for (var part : moderation.parts(tx, batch.idsToModerate(), archived).entrySet()) {
      batch.slot(part.getKey()).moderation(part.getValue());
    }
    for (var part : photos.parts(tx, batch.idsWithPhotos(), archived).entrySet()) {
      batch.slot(part.getKey()).photos(part.getValue());
    }
    for (var part : promotions.parts(tx, batch.idsWithPromotions(), archived).entrySet()) {
      batch.slot(part.getKey()).promotions(part.getValue());
    }
  }

  /// Returns the ids that were already in use.
  private List<OfferId> insert(Tx tx, OfferBatch batch) throws SQLException {
    List<OfferInBatch> created = batch.slots().stream().filter(OfferInBatch::isNew).toList();
    if (created.isEmpty()) {
      return List.of();
    }
    var inserted = offers.insert(tx, created.stream().map(OfferInBatch::row).toList());
    return created.stream()
        .map(offerInBatch -> offerInBatch.id)
        .filter(id -> !inserted.contains(id))
        .toList();
  }

  private void update(Tx tx, List<OfferInBatch> slots) throws SQLException {
    archive.restore(
        tx,
        slots.stream()
            .flatMap(offerInBatch -> offerInBatch.archivePositionToRestore().stream())
            .toList());
    Map<Boolean, List<OfferStore.OfferRow>> changed =
        slots.stream()
            .filter(OfferInBatch::isChanged)
            .collect(
                partitioningBy(OfferInBatch::isBodyOnly, mapping(OfferInBatch::row, toList())));
    offers.updateBody(tx, changed.getOrDefault(true, List.of()));
    offers.update(tx, changed.getOrDefault(false, List.of()));
    prices.add(tx, slots.stream().flatMap(offerInBatch -> offerInBatch.prices.stream()).toList());
    BatchEffects effects = new BatchEffects();
    slots.forEach(effects::add);
    if (!effects.failedPhotos.isEmpty()) {
      failureListener.count(tx, effects.failedPhotos);
    }
    List<PresetStore.CountChange> counts = updatePresets(tx, slots);
    writeEffects(tx, effects);
    outbox.append(
        tx, slots.stream().flatMap(offerInBatch -> offerInBatch.events.stream()).toList());
    presets.count(tx, counts); // Last: concurrent writers of the seller wait for these rows.
  }

  /// Updates the preset rows of the changed offers. Returns the resulting changes of the counts.
  private List<PresetStore.CountChange> updatePresets(Tx tx, List<OfferInBatch> slots)
      throws SQLException {
    List<PresetStore.Listed> added = new ArrayList<>();
    List<PresetStore.Listed> removed = new ArrayList<>();
    for (OfferInBatch offerInBatch : slots) {
      if (offerInBatch.isNew() || offerInBatch.isChanged()) {
        Presets after = Presets.of(offerInBatch.current().orElseThrow().shown());
        added.addAll(listed(offerInBatch, after.without(offerInBatch.listedBefore())));
        removed.addAll(listed(offerInBatch, offerInBatch.listedBefore().without(after)));
      }
    }
    presets.remove(tx, removed);
    presets.add(tx, added);
    return counts(added, removed);
  }

  private static List<PresetStore.Listed> listed(OfferInBatch offerInBatch, Presets names) {
    if (names.equals(Presets.NONE)) {
      return List.of();
    }
    var offer = offerInBatch.current().orElseThrow();
    Instant created = EpochMicros.instant(EpochMicros.of(offer.shown().getCreatedAt()));
    return names.names().stream()
        .map(
            name ->
                new PresetStore.Listed(
                    offerInBatch.id.home(), offer.seller(), name, created, offerInBatch.id))
        .toList();
  }

  private record CountKey(Home home, String seller, Name preset) {}

  /// Sums the changes of each count.
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

  private void writeEffects(Tx tx, BatchEffects effects) throws SQLException {
    photos.write(tx, effects.photos());
    promotions.save(tx, effects.promotions());
    counters.record(tx, effects.sales);
    moderation.save(tx, effects.parts());
    moderation.record(tx, effects.opinions);
    queue.remove(tx, effects.unqueued());
    queue.enter(tx, effects.queued());
    drafts.mark(tx, effects.published);
  }
}
