package dev.torg.offers.store;

import dev.torg.offers.lifecycle.Decision;
import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.offers.lifecycle.Effect;
import dev.torg.offers.lifecycle.OfferCommand;
import dev.torg.offers.lifecycle.PublishOffer;
import dev.torg.offers.lifecycle.PublishableDraft;
import dev.torg.offers.lifecycle.Situation;
import dev.torg.offers.lifecycle.StoredOffer;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import dev.torg.platform.coalesce.Outcome;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The commands of one transaction. Decides them in sequence, in memory, on the state that was read.
final class OfferBatch {
  private final List<OfferWriteRequest> requests;
  private final Map<OfferId, OfferInBatch> slots = new TreeMap<>();
  private final Map<DraftKey, PublishableDraft> drafts = new HashMap<>();

  OfferBatch(List<OfferWriteRequest> requests, Duration archiveAfter) {
    this.requests = requests;
    requests.forEach(r -> slots.computeIfAbsent(r.id(), id -> new OfferInBatch(id, archiveAfter)));
  }

  /// Sorted by key.
  List<OfferId> ids() {
    return List.copyOf(slots.keySet());
  }

  List<DraftKey> draftKeys() {
    return requests.stream().flatMap(r -> draftOf(r.command()).stream()).distinct().toList();
  }

  List<OfferId> idsToModerate() {
    return idsOf(OfferCommand::needsModeration);
  }

  List<OfferId> idsWithPhotos() {
    return idsOf(OfferCommand::needsPhotos);
  }

  List<OfferId> idsWithPromotions() {
    return idsOf(OfferCommand::needsPromotions);
  }

  private List<OfferId> idsOf(Predicate<OfferCommand> predicate) {
    return requests.stream()
        .filter(request -> predicate.test(request.command()))
        .map(OfferWriteRequest::id)
        .distinct()
        .toList();
  }

  void addRows(List<OfferStore.LockedRow> rows, Map<OfferId, byte[]> archived) {
    for (OfferStore.LockedRow row : rows) {
      byte[] body = row.body() != null ? row.body() : archived.get(row.id());
      if (body == null) {
        throw new IllegalStateException("offer " + row.id() + " has no body");
      }
      slot(row.id()).loaded(row.stored(body), row.presets(), archivePosition(row));
    }
  }

  void addDrafts(Map<DraftKey, PublishableDraft> locked) {
    drafts.putAll(locked);
  }

  OfferInBatch slot(OfferId id) {
    return Optional.ofNullable(slots.get(id)).orElseThrow();
  }

  List<OfferInBatch> slots() {
    return List.copyOf(slots.values());
  }

  /// Decides every request in order. A refused request has no effect.
  List<Outcome<OfferWriteResult>> decide() {
    List<Outcome<OfferWriteResult>> outcomes = new ArrayList<>(requests.size());
    requests.forEach(request -> outcomes.add(decide(request)));
    return outcomes;
  }

  /// Removes offers whose ids were inserted by another transaction after they were read: nothing of them is
  /// written.
  List<Outcome<OfferWriteResult>> without(
      List<OfferId> accepted, List<Outcome<OfferWriteResult>> outcomes) {
    accepted.forEach(slots::remove);
    List<Outcome<OfferWriteResult>> remaining = new ArrayList<>(outcomes);
    for (int i = 0; i < remaining.size(); i++) {
      if (!slots.containsKey(requests.get(i).id())) {
        remaining.set(i, Outcome.failed(PublishOffer.idInUse()));
      }
    }
    return remaining;
  }

  private Outcome<OfferWriteResult> decide(OfferWriteRequest request) {
    OfferCommand command = request.command();
    OfferInBatch offerInBatch = slot(command.id());
    try {
      Decision decision = command.decide(situation(offerInBatch, command));
      return switch (decision) {
        case Decision.Change change -> {
          StoredOffer after = offerInBatch.change(change, command, request.token());
          notePublished(change.effects(), after.id());
          yield Outcome.done(new OfferWriteResult.Current(after.shown()));
        }
        case Decision.NoChange noChange -> {
          offerInBatch.recordEffects(noChange.effects(), command.at());
          yield Outcome.done(
              new OfferWriteResult.Current(offerInBatch.current().orElseThrow().shown()));
        }
        case Decision.ExistingOffer existingOffer ->
            Outcome.done(new OfferWriteResult.ExistingOffer(existingOffer.offer()));
      };
    } catch (Failure failure) {
      return Outcome.failed(failure);
    }
  }

  private Situation situation(OfferInBatch offerInBatch, OfferCommand command) {
    Optional<PublishableDraft> draft = draftOf(command).map(drafts::get);
    return new Situation(
        offerInBatch.current(),
        offerInBatch.moderation(),
        offerInBatch.photos(),
        offerInBatch.promotions(),
        draft);
  }

  /// A draft that is published twice in one batch also becomes only one offer.
  private void notePublished(List<Effect> effects, OfferId offer) {
    for (Effect effect : effects) {
      if (effect instanceof Effect.DraftPublished published) {
        drafts.computeIfPresent(published.draft(), (key, draft) -> draft.publishedAs(offer));
      }
    }
  }

  private static Optional<DraftKey> draftOf(OfferCommand command) {
    return command instanceof PublishOffer publish ? publish.draft() : Optional.empty();
  }

  private static ArchiveStore.@Nullable ArchivePosition archivePosition(OfferStore.LockedRow row) {
    return row.month() == null
        ? null
        : new ArchiveStore.ArchivePosition(row.id(), LocalDate.parse(row.month()));
  }
}
