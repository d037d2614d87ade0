package dev.torg.offers.draft;

import dev.torg.api.v1.Offer;
import dev.torg.offers.category.OfferValidator;
import dev.torg.offers.draft.TakeoverStore.TakeoverRow;
import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.offers.lifecycle.PublishingTerms;
import dev.torg.offers.store.PhotoPartStore;
import dev.torg.platform.Caller;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/// Opens, changes and deletes drafts. An owner has at most one current draft.
public final class DraftService {
  private final Database database;
  private final OfferValidator rules;
  private final PhotoPartStore photos;
  private final InstantSource clock;
  private final Executor blocking;
  private final Takeover takeover;
  private final DraftStore drafts = new DraftStore();
  private final TakeoverStore takeovers = new TakeoverStore();

  public DraftService(
      Database database,
      OfferValidator rules,
      PhotoPartStore photos,
      InstantSource clock,
      Executor blocking) {
    this(database, rules, photos, clock, blocking, new Takeover(database, photos, _ -> {}));
  }

  DraftService(
      Database database,
      OfferValidator rules,
      PhotoPartStore photos,
      InstantSource clock,
      Executor blocking,
      Takeover takeover) {
    this.database = database;
    this.rules = rules;
    this.photos = photos;
    this.clock = clock;
    this.blocking = blocking;
    this.takeover = takeover;
  }

  /// Returns the caller's current draft. A login may pass the anonymous identity whose draft it takes over.
  CompletableFuture<DraftRow> open(
      Caller caller, Optional<String> category, Optional<String> anonymous) {
    category.ifPresent(rules::checkCategory);
    if (anonymous.isPresent() && caller.isAnonymous()) {
      throw Failure.unauthenticated("login.needed", "log in to take a draft over");
    }
    return async(() -> open(caller.subject(), category, anonymous));
  }

  CompletableFuture<DraftRow> get(DraftKey key) {
    return async(() -> database.read(tx -> drafts.find(tx, key)).orElseThrow(this::notFound));
  }

  CompletableFuture<DraftRow> update(DraftKey key, Offer content) {
    rules.checkDraft(content);
    Offer offer = PublishingTerms.copySellerContent(Offer.newBuilder(), content).build();
    Instant now = now();
    return async(() -> database.inTransaction(tx -> update(tx, key, offer, now)));
  }

  CompletableFuture<DraftKey> delete(DraftKey key) {
    return async(() -> database.inTransaction(tx -> delete(tx, key)));
  }

  private DraftRow open(String owner, Optional<String> category, Optional<String> anonymous) {
    Instant now = now();
    database
        .read(tx -> takeovers.of(tx, owner))
        .forEach(unfinished -> takeover.run(unfinished, UUID.randomUUID(), now));
    return anonymous
        .flatMap(this::currentOf)
        .map(from -> TakeoverRow.of(owner, from, category.orElse("")))
        .flatMap(row -> takeover.run(row, UUID.randomUUID(), now))
        .orElseGet(() -> openOwn(owner, category, now));
  }

  private Optional<DraftKey> currentOf(String anonymous) {
    return database
        .read(tx -> drafts.current(tx, anonymous))
        .map(draft -> new DraftKey(anonymous, draft.id()));
  }

  private DraftRow openOwn(String owner, Optional<String> category, Instant now) {
    OpenDraft open = new OpenDraft(drafts, photos, owner, category, UUID.randomUUID(), now);
    return database.inTransaction(tx -> open.run(tx, Optional.empty()));
  }

  private DraftRow update(Tx tx, DraftKey key, Offer content, Instant now) throws SQLException {
    DraftRow draft = DraftRow.changeable(drafts.lock(tx, key)).withContent(content, now);
    drafts.save(tx, draft);
    return draft;
  }

  private DraftKey delete(Tx tx, DraftKey key) throws SQLException {
    DraftRow draft = DraftRow.changeable(drafts.lockWithCurrent(tx, key));
    drafts.delete(tx, draft.key());
    photos.requestRemoval(tx, key.home(), draft.photoIds(), EpochMicros.of(now()));
    return key;
  }

  private Failure notFound() {
    return Failure.notFound("draft.not-found", "no such draft");
  }

  private <T> CompletableFuture<T> async(Supplier<T> work) {
    return CompletableFuture.supplyAsync(work, blocking);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }
}
