package dev.torg.offers.photo;

import com.google.common.hash.Hashing;
import com.google.common.io.MoreFiles;
import dev.torg.api.v1.Draft;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Photo;
import dev.torg.offers.draft.DraftPhotos;
import dev.torg.offers.lifecycle.AddPhoto;
import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.offers.lifecycle.OfferAccess;
import dev.torg.offers.lifecycle.OrderPhotos;
import dev.torg.offers.lifecycle.PhotoList;
import dev.torg.offers.lifecycle.PublishingTerms;
import dev.torg.offers.lifecycle.RemovePhoto;
import dev.torg.offers.lifecycle.StatusTransitions;
import dev.torg.offers.photo.prepare.PhotoBlobStore;
import dev.torg.offers.store.OfferReader;
import dev.torg.offers.store.OfferWriteResult;
import dev.torg.offers.store.OfferWriter;
import dev.torg.platform.Caller;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.idempotency.IdempotentRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/// What owners do with the photos of their offers and drafts. A photo is there at once, pending; what
/// was uploaded lies in the store before anybody is told of it.
public final class PhotoService {
  private final OfferWriter writer;
  private final OfferReader reader;
  private final DraftPhotos drafts;
  private final PhotoBlobStore blobs;
  private final PublishingTerms terms;
  private final InstantSource clock;
  private final Executor blocking;

  public PhotoService(
      OfferWriter writer,
      OfferReader reader,
      DraftPhotos drafts,
      PhotoBlobStore blobs,
      PublishingTerms terms,
      InstantSource clock,
      Executor blocking) {
    this.writer = writer;
    this.reader = reader;
    this.drafts = drafts;
    this.blobs = blobs;
    this.terms = terms;
    this.clock = clock;
    this.blocking = blocking;
  }

  public CompletableFuture<Photo> add(
      Caller caller, OfferId offer, String url, Optional<String> key) {
    requireAddress(url);
    return add(caller, offer, PhotoIds.random(), Optional.of(url.strip()), key, url);
  }

  public CompletableFuture<Photo> add(DraftKey draft, String url, Optional<String> key) {
    requireAddress(url);
    return drafts.add(
        draft,
        PhotoIds.random(),
        Optional.of(url.strip()),
        key.map(k -> keyed(draft.home(), draft.owner(), "AddDraftPhoto", k, draft.id() + url)));
  }

  /// The file may go when the future is complete.
  public CompletableFuture<Photo> upload(
      Caller caller, OfferId offer, Path file, Optional<String> key) {
    return uploaded(
        file,
        photo ->
            add(caller, offer, photo, Optional.empty(), key, key.map(_ -> hash(file)).orElse("")));
  }

  public CompletableFuture<Photo> upload(DraftKey draft, Path file, Optional<String> key) {
    return uploaded(
        file,
        photo ->
            drafts.add(
                draft,
                photo,
                Optional.empty(),
                key.map(
                    k ->
                        keyed(
                            draft.home(),
                            draft.owner(),
                            "AddDraftPhoto",
                            k,
                            draft.id() + hash(file)))));
  }

  /// Refuses early what would be refused in the end: before an upload is read.
  ///
  /// @param mayRepeat the request has an idempotency key, so its photo may be among those that are there
  public CompletableFuture<Offer> requireMayAdd(Caller caller, OfferId offer, boolean mayRepeat) {
    return reader
        .get(offer)
        .thenApply(
            found -> {
              Offer shown = found.orElseThrow(OfferAccess::notFound);
              OfferAccess.requireOwner(caller, shown, clock.instant());
              StatusTransitions.requireEditable(shown.getStatus());
              PhotoList.requireSpace(mayRepeat ? 0 : shown.getPhotosCount());
              return shown;
            });
  }

  public CompletableFuture<Draft> requireMayAdd(DraftKey draft, boolean mayRepeat) {
    return drafts
        .requireChangeable(draft)
        .thenApply(
            found -> {
              PhotoList.requireSpace(mayRepeat ? 0 : found.getOffer().getPhotosCount());
              return found;
            });
  }

  public CompletableFuture<Offer> remove(Caller caller, OfferId offer, String photo) {
    return writer.apply(new RemovePhoto(offer, caller, photo, terms, now()));
  }

  public CompletableFuture<Offer> order(Caller caller, OfferId offer, List<String> photos) {
    return writer.apply(new OrderPhotos(offer, caller, photos, terms, now()));
  }

  public CompletableFuture<Draft> remove(DraftKey draft, String photo) {
    return drafts.remove(draft, photo);
  }

  public CompletableFuture<Draft> order(DraftKey draft, List<String> photos) {
    return drafts.order(draft, photos);
  }

  private CompletableFuture<Photo> add(
      Caller caller,
      OfferId offer,
      String photo,
      Optional<String> url,
      Optional<String> key,
      String body) {
    Optional<IdempotentRequest> keyed =
        key.map(k -> keyed(offer.home(), caller.subject(), "AddOfferPhoto", k, offer + body));
    return writer
        .submit(new AddPhoto(offer, caller, photo, url, terms, now()), keyed)
        .thenApply(written -> added(written, photo));
  }

  /// A repeated request is answered with the offer as it was then, the photo at its end.
  private static Photo added(OfferWriteResult written, String photo) {
    List<Photo> photos =
        switch (written) {
          case OfferWriteResult.Current here -> here.offer().getPhotosList();
          case OfferWriteResult.ExistingOffer elsewhere ->
              throw new IllegalStateException("led to " + elsewhere.offer());
        };
    return photos.stream()
        .filter(one -> one.getId().equals(photo))
        .findFirst()
        .orElseGet(photos::getLast);
  }

  /// An upload that nobody asks for in the end goes again.
  private CompletableFuture<Photo> uploaded(
      Path file, Function<String, CompletableFuture<Photo>> add) {
    String photo = PhotoIds.random();
    return CompletableFuture.runAsync(() -> blobs.keepUpload(photo, file), blocking)
        .thenCompose(_ -> add.apply(photo))
        .whenCompleteAsync(
            (added, error) -> {
              if (error != null && isRefusal(error)
                  || added != null && !added.getId().equals(photo)) {
                blobs.dropUpload(photo);
              }
            },
            blocking);
  }

  /// Of an UNAVAILABLE nobody knows whether it has happened.
  private static boolean isRefusal(Throwable error) {
    Throwable cause = error.getCause() != null ? error.getCause() : error;
    return cause instanceof Failure failure && failure.kind() != Failure.Kind.UNAVAILABLE;
  }

  private IdempotentRequest keyed(
      Home home, String caller, String method, String key, String body) {
    return IdempotentRequest.of(
        home, caller, method, key, body.getBytes(StandardCharsets.UTF_8), clock.instant());
  }

  private static String hash(Path file) {
    try {
      return MoreFiles.asByteSource(file).hash(Hashing.sha256()).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void requireAddress(String url) {
    if (PhotoAddress.parse(url).isEmpty()) {
      throw Failure.invalid(
          "photo.url",
          "bad address",
          "url",
          "must be an http or https address of at most " + PhotoAddress.MAX_LENGTH + " characters");
    }
  }

  private long now() {
    return EpochMicros.of(clock.instant());
  }
}
