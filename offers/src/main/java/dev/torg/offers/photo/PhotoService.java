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
import dev.torg.offers.store.OfferReader;
import dev.torg.offers.store.OfferWriteResult;
import dev.torg.offers.store.OfferWriter;
import dev.torg.photos.PhotoAddress;
import dev.torg.photos.PhotoIds;
import dev.torg.photos.PhotoUploadStore;
import dev.torg.platform.Caller;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.Futures;
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

/// Adds, removes and orders the photos of offers and drafts for their owners. A new photo is shown as
/// pending at once; an uploaded file is stored before its preparation is requested.
public final class PhotoService {
  private final OfferWriter writer;
  private final OfferReader reader;
  private final DraftPhotos drafts;
  private final PhotoUploadStore uploads;
  private final PublishingTerms terms;
  private final InstantSource clock;
  private final Executor blocking;

  public PhotoService(
      OfferWriter writer,
      OfferReader reader,
      DraftPhotos drafts,
      PhotoUploadStore uploads,
      PublishingTerms terms,
      InstantSource clock,
      Executor blocking) {
    this.writer = writer;
    this.reader = reader;
    this.drafts = drafts;
    this.uploads = uploads;
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

  /// The file may be deleted when the future completes.
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

  /// Fails as adding would, so that an upload is refused before it is read.
  ///
  /// @param mayRepeat whether the request has an idempotency key, so that its photo may exist already
  public CompletableFuture<Offer> requireMayAdd(Caller caller, OfferId offer, boolean mayRepeat) {
    return reader
        .get(offer)
        .thenApply(
            stored -> {
              Offer shown = stored.orElseThrow(OfferAccess::notFound);
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
            changeable -> {
              PhotoList.requireSpace(mayRepeat ? 0 : changeable.getOffer().getPhotosCount());
              return changeable;
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
        .thenApply(result -> added(result, photo));
  }

  /// The result of a repeated request is the offer as it was then, with the photo as its last one.
  private static Photo added(OfferWriteResult result, String photo) {
    List<Photo> photos =
        switch (result) {
          case OfferWriteResult.Current current -> current.offer().getPhotosList();
          case OfferWriteResult.ExistingOffer existing ->
              throw new IllegalStateException(
                  "unexpected result: existing offer " + existing.offer());
        };
    return photos.stream()
        .filter(candidate -> candidate.getId().equals(photo))
        .findFirst()
        .orElseGet(photos::getLast);
  }

  /// Deletes the upload if adding the photo is refused, or if the request repeats one whose photo exists.
  private CompletableFuture<Photo> uploaded(
      Path file, Function<String, CompletableFuture<Photo>> add) {
    String photo = PhotoIds.random();
    return CompletableFuture.runAsync(() -> uploads.storeUpload(photo, file), blocking)
        .thenCompose(_ -> add.apply(photo))
        .whenCompleteAsync(
            (added, error) -> {
              if (error != null && isRefusal(error)
                  || added != null && !added.getId().equals(photo)) {
                uploads.dropUpload(photo);
              }
            },
            blocking);
  }

  /// After UNAVAILABLE it is unknown whether the change was committed.
  private static boolean isRefusal(Throwable error) {
    return Futures.unwrap(error) instanceof Failure failure
        && failure.kind() != Failure.Kind.UNAVAILABLE;
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
