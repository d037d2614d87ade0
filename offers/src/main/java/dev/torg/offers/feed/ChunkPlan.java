package dev.torg.offers.feed;

import dev.torg.offers.feed.Chunk.ValidItem;
import dev.torg.offers.feed.FeedItemStore.ItemMark;
import dev.torg.offers.feed.FeedItemStore.StoredItem;
import dev.torg.offers.feed.format.FeedEntry;
import dev.torg.offers.lifecycle.OfferCommand;
import dev.torg.offers.lifecycle.PublishOffer;
import dev.torg.offers.lifecycle.PublishingTerms;
import dev.torg.offers.lifecycle.UpsertFromFeed;
import dev.torg.offers.store.OfferWriteResult;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import dev.torg.platform.coalesce.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One attempt to write a chunk: derives commands, marks and counts from the stored state of its items.
final class ChunkPlan {
  private final UploadId upload;
  private final Chunk chunk;
  private final PublishingTerms terms;
  private final FeedItemAction.Rules rules;
  private final Map<String, StoredItem> storedItems = new HashMap<>();
  private final Map<String, OfferId> unclaimed = new HashMap<>();
  private final List<ItemMark> added = new ArrayList<>();
  private final List<ItemMark> marked = new ArrayList<>();
  private final List<Step> steps = new ArrayList<>();
  private final List<FeedEntry.Invalid> failures = new ArrayList<>();
  private final List<String> refused = new ArrayList<>();
  private final List<ItemPromotion> promotions = new ArrayList<>();
  private final FeedCounts.Tally tally = new FeedCounts.Tally();
  private long at;

  /// A command and its item.
  private record Step(
      FeedEntry.Item item, FeedItemAction action, boolean claimed, UpsertFromFeed command) {}

  /// The promotion services that an item asks for.
  record ItemPromotion(String externalId, OfferId offer, List<String> services) {}

  ChunkPlan(UploadId upload, Chunk chunk, PublishingTerms terms, FeedItemAction.Rules rules) {
    this.upload = upload;
    this.chunk = chunk;
    this.terms = terms;
    this.rules = rules;
    failures.addAll(chunk.failures());
    tally.duplicates = chunk.repeated();
  }

  void addStored(Map<String, StoredItem> items) {
    storedItems.putAll(items);
  }

  /// Items without an offer of the feed. The seller may have published one manually.
  List<String> unknown() {
    return chunk.items().values().stream()
        .filter(validItem -> verdict(validItem) == FeedItemAction.CREATE)
        .map(validItem -> validItem.item().externalId())
        .toList();
  }

  void unclaimed(Map<String, OfferId> offers) {
    unclaimed.putAll(offers);
  }

  void decide(long now) {
    at = now;
    chunk.items().values().forEach(this::decide);
    chunk.failures().forEach(this::retainOffer);
  }

  List<ItemMark> added() {
    return added;
  }

  List<ItemMark> marked() {
    return marked;
  }

  List<OfferCommand> commands() {
    return steps.stream().map(step -> (OfferCommand) step.command()).toList();
  }

  /// Applies the outcomes of the commands, in their order.
  void written(List<Outcome<OfferWriteResult>> outcomes) {
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      switch (outcomes.get(i)) {
        case Outcome.Done<OfferWriteResult>(OfferWriteResult writeResult) ->
            done(step, writeResult);
        case Outcome.Failed<OfferWriteResult>(Failure failure) -> failed(step, failure);
      }
    }
  }

  /// External ids of offers that refused the content of the feed.
  List<String> refused() {
    return refused;
  }

  /// Of the items that were accepted, changed or not.
  List<ItemPromotion> promotions() {
    return promotions.stream().filter(item -> !refused.contains(item.externalId())).toList();
  }

  List<FeedEntry.Invalid> failures() {
    return failures;
  }

  FeedCounts counts(int failed) {
    tally.failed = failed;
    return tally.counts();
  }

  private FeedItemAction verdict(ValidItem validItem) {
    return FeedItemAction.of(
        validItem.item(), storedItems.get(validItem.item().externalId()), upload, rules);
  }

  private void decide(ValidItem validItem) {
    FeedEntry.Item item = validItem.item();
    StoredItem former = storedItems.get(item.externalId());
    FeedItemAction action = verdict(validItem);
    switch (action) {
      case CREATE -> create(validItem, former);
      case UPDATE, UPDATE_REPEATED, REVIVE -> {
        OfferId offer = former == null ? OfferId.random(upload.task().home()) : former.offer();
        step(validItem, action, false, kind(item, former, action), offer);
        marked.add(new ItemMark(item.externalId(), offer, item.hash()));
      }
      case UNCHANGED, ALREADY_APPLIED, REPEATED -> stays(item, former, action);
      case IGNORE -> tally.ignored++;
    }
  }

  private static UpsertFromFeed.Kind kind(
      FeedEntry.Item item, @Nullable StoredItem former, FeedItemAction action) {
    boolean same =
        former != null && former.hash() == item.hash() && action != FeedItemAction.REVIVE;
    return same ? UpsertFromFeed.Kind.UNCHANGED : UpsertFromFeed.Kind.UPDATE;
  }

  private void create(ValidItem validItem, @Nullable StoredItem former) {
    FeedEntry.Item item = validItem.item();
    OfferId claimed = unclaimed.get(item.externalId());
    OfferId offer = claimed == null ? OfferId.random(upload.task().home()) : claimed;
    step(
        validItem,
        claimed == null ? FeedItemAction.CREATE : FeedItemAction.UPDATE,
        claimed != null,
        claimed == null ? UpsertFromFeed.Kind.CREATE : UpsertFromFeed.Kind.UPDATE,
        offer);
    ItemMark itemMark = new ItemMark(item.externalId(), offer, item.hash());
    (former == null ? added : marked).add(itemMark);
  }

  private void step(
      ValidItem validItem,
      FeedItemAction action,
      boolean claimed,
      UpsertFromFeed.Kind kind,
      OfferId offer) {
    UpsertFromFeed.Item item =
        new UpsertFromFeed.Item(
            validItem.checked(), validItem.item().photoUrls(), upload.task().taskId());
    UpsertFromFeed command =
        new UpsertFromFeed(offer, upload.task().seller(), kind, item, terms, at);
    steps.add(new Step(validItem.item(), action, claimed, command));
    notePromotion(validItem.item(), offer);
  }

  private void stays(FeedEntry.Item item, @Nullable StoredItem former, FeedItemAction action) {
    if (action == FeedItemAction.UNCHANGED) {
      tally.unchanged++;
    } else if (action == FeedItemAction.REPEATED) {
      tally.duplicates++;
    }
    if (former != null) {
      notePromotion(item, former.offer());
    }
    if (former != null && action != FeedItemAction.REPEATED) {
      marked.add(new ItemMark(item.externalId(), former.offer(), item.hash()));
    }
  }

  private void notePromotion(FeedEntry.Item item, OfferId offer) {
    item.promote()
        .ifPresent(
            services -> promotions.add(new ItemPromotion(item.externalId(), offer, services)));
  }

  /// An invalid item is still in the feed: its offer stays as it is and is not removed.
  private void retainOffer(FeedEntry.Invalid invalid) {
    StoredItem former = storedItems.get(invalid.externalId());
    if (former == null || chunk.items().containsKey(invalid.externalId())) {
      return;
    }
    if (former.task() < upload.task().taskId() && !FeedItemAction.isRemoved(former)) {
      marked.add(new ItemMark(former.externalId(), former.offer(), former.hash()));
      storedItems.remove(invalid.externalId());
    }
  }

  private void done(Step step, OfferWriteResult writeResult) {
    switch (step.action()) {
      case CREATE -> tally.created++;
      case UPDATE_REPEATED -> tally.duplicates++;
      case UPDATE, REVIVE -> {
        if (step.claimed() && !isChanged(writeResult)) {
          tally.unchanged++;
        } else {
          tally.updated++;
        }
      }
      case UNCHANGED, REPEATED, ALREADY_APPLIED, IGNORE ->
          throw new IllegalStateException(step.action() + " writes no offer");
    }
  }

  private boolean isChanged(OfferWriteResult writeResult) {
    return writeResult instanceof OfferWriteResult.Current current
        && EpochMicros.of(current.offer().getUpdatedAt()) >= at;
  }

  private void failed(Step step, Failure failure) {
    if (failure.code().equals(PublishOffer.ID_IN_USE)) {
      throw new FeedChunkWriter.ConcurrentWriteException();
    }
    failures.add(Chunk.failed(step.item(), failure));
    refused.add(step.item().externalId());
  }
}
