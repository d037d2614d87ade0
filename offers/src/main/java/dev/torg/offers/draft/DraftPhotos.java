package dev.torg.offers.draft;

import dev.torg.api.v1.Draft;
import dev.torg.api.v1.Photo;
import dev.torg.api.v1.PhotoEvent;
import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.offers.lifecycle.PhotoList;
import dev.torg.offers.store.PhotoPartStore;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.StoredProto;
import dev.torg.platform.db.TransactionBody;
import dev.torg.platform.db.Tx;
import dev.torg.platform.idempotency.Claim;
import dev.torg.platform.idempotency.IdempotencyStore;
import dev.torg.platform.idempotency.IdempotentRequest;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/// The photos of drafts. They change under the draft's lock, and their preparation is requested in the same
/// transaction.
public final class DraftPhotos {
  private final Database database;
  private final PhotoPartStore requests;
  private final InstantSource clock;
  private final Executor blocking;
  private final DraftStore drafts = new DraftStore();
  private final IdempotencyStore keys = new IdempotencyStore();

  public DraftPhotos(
      Database database, PhotoPartStore requests, InstantSource clock, Executor blocking) {
    this.database = database;
    this.requests = requests;
    this.clock = clock;
    this.blocking = blocking;
  }

  /// With an idempotency key, a repetition has the same result and no further effect.
  public CompletableFuture<Photo> add(
      DraftKey key, String photo, Optional<String> url, Optional<IdempotentRequest> keyed) {
    Instant now = now();
    return run(
        tx ->
            keyed.isPresent()
                ? once(tx, keyed.get(), () -> add(tx, key, photo, url, now))
                : add(tx, key, photo, url, now));
  }

  public CompletableFuture<Draft> remove(DraftKey key, String photo) {
    return change(key, photos -> photos.remove(photo));
  }

  public CompletableFuture<Draft> order(DraftKey key, List<String> photos) {
    return change(key, list -> list.order(photos));
  }

  /// Fails as a change would, before anything is uploaded.
  public CompletableFuture<Draft> requireChangeable(DraftKey key) {
    return CompletableFuture.supplyAsync(
        () -> DraftRow.changeable(database.read(tx -> drafts.find(tx, key))).encode(), blocking);
  }

  /// Returns whether the photo still exists. A draft that was deleted, published or is being taken over
  /// requests its photos under another id.
  public CompletableFuture<Boolean> applyAnswer(DraftKey key, PhotoEvent photoEvent, long at) {
    return run(tx -> applyAnswer(tx, key, photoEvent, at));
  }

  private boolean applyAnswer(Tx tx, DraftKey key, PhotoEvent photoEvent, long at)
      throws SQLException {
    Optional<DraftRow> draft =
        drafts.lock(tx, key).filter(d -> d.offer().isEmpty() && d.takenOverBy().isEmpty());
    if (draft.isEmpty()) {
      return false;
    }
    PhotoList photos = draft.get().photoList();
    boolean changed = photos.applyAnswer(photoEvent, at).isPresent();
    if (changed) {
      drafts.save(tx, draft.get().showing(photos, draft.get().updatedAt()));
    }
    return changed;
  }

  private Photo add(Tx tx, DraftKey key, String photo, Optional<String> url, Instant now)
      throws SQLException {
    DraftRow draft = DraftRow.changeable(drafts.lock(tx, key));
    PhotoList photos = draft.photoList();
    Photo added = photos.add(photo, url);
    drafts.save(tx, draft.showing(photos, now));
    requests.request(tx, key, photos.requested(), EpochMicros.of(now));
    return added;
  }

  private CompletableFuture<Draft> change(DraftKey key, Consumer<PhotoList> change) {
    Instant now = now();
    return run(
        tx -> {
          DraftRow draft = DraftRow.changeable(drafts.lock(tx, key));
          PhotoList photos = draft.photoList();
          change.accept(photos);
          DraftRow changed = draft.showing(photos, now);
          drafts.save(tx, changed);
          requests.requestRemoval(tx, key.home(), photos.removed(), EpochMicros.of(now));
          return changed.encode();
        });
  }

  @FunctionalInterface
  private interface Adding {
    Photo run() throws SQLException;
  }

  private Photo once(Tx tx, IdempotentRequest keyed, Adding adding) throws SQLException {
    return switch (keys.claim(tx, List.of(keyed)).getFirst()) {
      case Claim.Replayed before -> photo(before.response());
      case Claim.Conflict conflict -> throw conflict.failure();
      case Claim.Acquired _, Claim.DuplicateInBatch _ -> {
        Photo added = adding.run();
        keys.store(tx, List.of(new IdempotencyStore.ResponseToStore(keyed, added.toByteArray())));
        yield added;
      }
    };
  }

  private static Photo photo(byte[] response) {
    return StoredProto.parse(Photo.parser(), response, "response");
  }

  private <T> CompletableFuture<T> run(TransactionBody<T> body) {
    return CompletableFuture.supplyAsync(() -> database.inTransaction(body), blocking);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }
}
