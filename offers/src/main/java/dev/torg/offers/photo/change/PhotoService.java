package dev.torg.offers.photo.change;

import com.google.common.hash.Hashing;
import com.google.common.io.MoreFiles;
import dev.torg.api.v1.Draft;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Photo;
import dev.torg.offers.draft.DraftPhotos;
import dev.torg.offers.life.DraftKey;
import dev.torg.offers.life.Life;
import dev.torg.offers.life.Micros;
import dev.torg.offers.life.Ownership;
import dev.torg.offers.life.Terms;
import dev.torg.offers.photo.PhotoAddress;
import dev.torg.offers.photo.PhotoIds;
import dev.torg.offers.photo.PhotoList;
import dev.torg.offers.photo.prepare.PhotoBlobs;
import dev.torg.offers.store.OfferReader;
import dev.torg.offers.store.OfferWriter;
import dev.torg.offers.store.Written;
import dev.torg.platform.Caller;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.idempotency.KeyedRequest;
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
  private final PhotoBlobs blobs;
  private final Terms terms;
  private final InstantSource clock;
  private final Executor blocking;

  public PhotoService(
      OfferWriter writer,
      OfferReader reader,
      DraftPhotos drafts,
      PhotoBlobs blobs,
      Terms terms,
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
              Offer shown =
                  found.orElseThrow(() -> Failure.notFound("offer.not-found", "no such offer"));
              Ownership.requireOwner(caller, shown);
              Life.requireEditable(shown.getStatus());
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
    return writer.change(new RemovePhoto(offer, caller, photo, terms, now()));
  }

  public CompletableFuture<Offer> order(Caller caller, OfferId offer, List<String> photos) {
    return writer.change(new OrderPhotos(offer, caller, photos, terms, now()));
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
    Optional<KeyedRequest> keyed =
        key.map(k -> keyed(offer.home(), caller.subject(), "AddOfferPhoto", k, offer + body));
    return writer
        .submit(new AddPhoto(offer, caller, photo, url, terms, now()), keyed)
        .thenApply(written -> added(written, photo));
  }

  /// A repeated request is answered with the offer as it was then, the photo at its end.
  private static Photo added(Written written, String photo) {
    List<Photo> photos =
        switch (written) {
          case Written.Here here -> here.offer().getPhotosList();
          case Written.Elsewhere elsewhere ->
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

  private KeyedRequest keyed(Home home, String caller, String method, String key, String body) {
    return KeyedRequest.of(
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
          "must be an http or https address of at most " + PhotoAddress.LONGEST + " characters");
    }
  }

  private long now() {
    return Micros.of(clock.instant());
  }
}
