package dev.torg.offers.feed;

import dev.torg.offers.feed.Chunk.Good;
import dev.torg.offers.feed.ItemStore.Known;
import dev.torg.offers.feed.ItemStore.Mark;
import dev.torg.offers.feed.read.Entry;
import dev.torg.offers.life.Bring;
import dev.torg.offers.life.Micros;
import dev.torg.offers.life.OfferCommand;
import dev.torg.offers.life.Publish;
import dev.torg.offers.life.Terms;
import dev.torg.offers.store.Written;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import dev.torg.platform.coalesce.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What one attempt to write a chunk does: from what is known of its items to commands, marks and
/// counts.
final class Plan {
  private final Upload upload;
  private final Chunk chunk;
  private final Terms terms;
  private final Verdict.Rules rules;
  private final Map<String, Known> known = new HashMap<>();
  private final Map<String, OfferId> unclaimed = new HashMap<>();
  private final List<Mark> added = new ArrayList<>();
  private final List<Mark> marked = new ArrayList<>();
  private final List<Step> steps = new ArrayList<>();
  private final List<Entry.Broken> failures = new ArrayList<>();
  private final List<String> refused = new ArrayList<>();
  private final Counts.Tally tally = new Counts.Tally();
  private long at;

  /// A command and the item it is for.
  private record Step(Entry.Item item, Verdict verdict, boolean claimed, Bring command) {}

  Plan(Upload upload, Chunk chunk, Terms terms, Verdict.Rules rules) {
    this.upload = upload;
    this.chunk = chunk;
    this.terms = terms;
    this.rules = rules;
    failures.addAll(chunk.failures());
    tally.duplicates = chunk.repeated();
  }

  void known(Map<String, Known> found) {
    known.putAll(found);
  }

  /// Items that no offer of the feed stands for: the seller may have published one by hand.
  List<String> unknown() {
    return chunk.items().values().stream()
        .filter(good -> verdict(good) == Verdict.CREATE)
        .map(good -> good.item().externalId())
        .toList();
  }

  void unclaimed(Map<String, OfferId> found) {
    unclaimed.putAll(found);
  }

  void decide(long now) {
    at = now;
    chunk.items().values().forEach(this::decide);
    chunk.failures().forEach(this::keepOffer);
  }

  List<Mark> added() {
    return added;
  }

  List<Mark> marked() {
    return marked;
  }

  List<OfferCommand> commands() {
    return steps.stream().map(step -> (OfferCommand) step.command()).toList();
  }

  /// Takes the outcomes of the commands, in their order.
  void written(List<Outcome<Written>> outcomes) {
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      switch (outcomes.get(i)) {
        case Outcome.Done<Written>(Written written) -> done(step, written);
        case Outcome.Failed<Written>(Failure failure) -> failed(step, failure);
      }
    }
  }

  /// External ids of offers that did not take what the feed says.
  List<String> refused() {
    return refused;
  }

  List<Entry.Broken> failures() {
    return failures;
  }

  Counts counts(int failed) {
    tally.failed = failed;
    return tally.counts();
  }

  private Verdict verdict(Good good) {
    return Verdict.of(good.item(), known.get(good.item().externalId()), upload, rules);
  }

  private void decide(Good good) {
    Entry.Item item = good.item();
    Known former = known.get(item.externalId());
    Verdict verdict = verdict(good);
    switch (verdict) {
      case CREATE -> create(good, former);
      case UPDATE, UPDATE_REPEATED, REVIVE -> {
        OfferId offer = former == null ? OfferId.random(upload.task().home()) : former.offer();
        step(good, verdict, false, kind(item, former, verdict), offer);
        marked.add(new Mark(item.externalId(), offer, item.hash()));
      }
      case UNCHANGED, BROUGHT_BEFORE, REPEATED -> stays(item, former, verdict);
      case IGNORE -> tally.ignored++;
    }
  }

  private static Bring.Kind kind(Entry.Item item, @Nullable Known former, Verdict verdict) {
    boolean same = former != null && former.hash() == item.hash() && verdict != Verdict.REVIVE;
    return same ? Bring.Kind.SAME : Bring.Kind.KNOWN;
  }

  private void create(Good good, @Nullable Known former) {
    Entry.Item item = good.item();
    OfferId claimed = unclaimed.get(item.externalId());
    OfferId offer = claimed == null ? OfferId.random(upload.task().home()) : claimed;
    step(
        good,
        claimed == null ? Verdict.CREATE : Verdict.UPDATE,
        claimed != null,
        claimed == null ? Bring.Kind.NEW : Bring.Kind.KNOWN,
        offer);
    Mark mark = new Mark(item.externalId(), offer, item.hash());
    (former == null ? added : marked).add(mark);
  }

  private void step(Good good, Verdict verdict, boolean claimed, Bring.Kind kind, OfferId offer) {
    Bring.Item item =
        new Bring.Item(good.checked(), good.item().photoUrls(), upload.task().taskId());
    Bring command = new Bring(offer, upload.task().seller(), kind, item, terms, at);
    steps.add(new Step(good.item(), verdict, claimed, command));
  }

  private void stays(Entry.Item item, @Nullable Known former, Verdict verdict) {
    if (verdict == Verdict.UNCHANGED) {
      tally.unchanged++;
    } else if (verdict == Verdict.REPEATED) {
      tally.duplicates++;
    }
    if (former != null && verdict != Verdict.REPEATED) {
      marked.add(new Mark(item.externalId(), former.offer(), item.hash()));
    }
  }

  /// An item that cannot be taken is still in the feed: its offer stays as it is and is not removed.
  private void keepOffer(Entry.Broken broken) {
    Known former = known.get(broken.externalId());
    if (former == null || chunk.items().containsKey(broken.externalId())) {
      return;
    }
    if (former.task() < upload.task().taskId() && !Verdict.isGone(former)) {
      marked.add(new Mark(former.externalId(), former.offer(), former.hash()));
      known.remove(broken.externalId());
    }
  }

  private void done(Step step, Written written) {
    switch (step.verdict()) {
      case CREATE -> tally.created++;
      case UPDATE_REPEATED -> tally.duplicates++;
      case UPDATE, REVIVE -> {
        if (step.claimed() && !isChanged(written)) {
          tally.unchanged++;
        } else {
          tally.updated++;
        }
      }
      case UNCHANGED, REPEATED, BROUGHT_BEFORE, IGNORE ->
          throw new IllegalStateException(step.verdict() + " writes no offer");
    }
  }

  private boolean isChanged(Written written) {
    return written instanceof Written.Here here && Micros.of(here.offer().getUpdatedAt()) >= at;
  }

  private void failed(Step step, Failure failure) {
    if (failure.code().equals(Publish.ID_TAKEN)) {
      throw new WriteChunk.InTheWay();
    }
    failures.add(Chunk.failed(step.item(), failure));
    refused.add(step.item().externalId());
  }
}
