package dev.torg.offers;

import dev.torg.api.v1.Photo;
import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.offers.photo.PhotoService;
import dev.torg.offers.photo.fetch.FetchLimits;
import dev.torg.offers.photo.image.PhotoSize;
import dev.torg.offers.photo.prepare.PhotoContentLookup;
import dev.torg.offers.photo.prepare.PhotoVisibility;
import dev.torg.platform.Caller;
import dev.torg.platform.Caller.Role;
import dev.torg.platform.OfferId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// What cannot be said in JSON: photos as files and as pictures.
public final class PhotoFiles {
  /// Of a file that is uploaded.
  public static final long MAX_BYTES = FetchLimits.MAX_BYTES;

  /// What pictures are.
  public static final String CONTENT_TYPE = "image/jpeg";

  private final PhotoService photos;
  private final PhotoContentLookup images;
  private final PhotoVisibility visibility;

  public PhotoFiles(PhotoService photos, PhotoContentLookup images, PhotoVisibility visibility) {
    this.photos = photos;
    this.images = images;
    this.visibility = visibility;
  }

  /// An offer's or a draft's photos, as one of them is about to get another. What is no id fails, and
  /// what the caller may not change is refused at once.
  public interface PhotoTarget {
    /// @param key of the request, which may be a repetition
    CompletableFuture<?> requireOpen(Optional<String> key);

    /// Adds a photo; the file may go when the future is complete. With an idempotency key, a repetition
    /// has the same answer and no further effect.
    CompletableFuture<Photo> upload(Path file, Optional<String> key);
  }

  public PhotoTarget ofOffer(Caller caller, String id) {
    OfferId offer = OfferId.parse(id);
    return new PhotoTarget() {
      @Override
      public CompletableFuture<?> requireOpen(Optional<String> key) {
        return photos.requireMayAdd(caller, offer, key.isPresent());
      }

      @Override
      public CompletableFuture<Photo> upload(Path file, Optional<String> key) {
        return photos.upload(caller, offer, file, key);
      }
    };
  }

  public PhotoTarget ofDraft(Caller caller, String id) {
    DraftKey draft = DraftKey.parse(caller.subject(), id);
    return new PhotoTarget() {
      @Override
      public CompletableFuture<?> requireOpen(Optional<String> key) {
        return photos.requireMayAdd(draft, key.isPresent());
      }

      @Override
      public CompletableFuture<Photo> upload(Path file, Optional<String> key) {
        return photos.upload(draft, file, key);
      }
    };
  }

  /// Whether the caller sees the pictures of a photo, and for how long they may be cached. Blocks.
  public Access access(String photo, Optional<Caller> caller) {
    return switch (visibility.of(photo)) {
      case EVERYONE -> Access.PUBLIC;
      case MODERATORS ->
          caller.filter(PhotoFiles::isModerator).isPresent() ? Access.PRIVATE : Access.NONE;
      case NONE -> Access.NONE;
    };
  }

  /// How a picture may be shown to a caller.
  public enum Access {
    /// And cached by anybody, for [#MAX_AGE].
    PUBLIC,
    /// To this caller only, not cached.
    PRIVATE,
    NONE;

    /// How long clients may show a picture without asking again. A ban or a removal is effective after
    /// this time and that of [PhotoVisibility#CACHE_TIME].
    public static final Duration MAX_AGE = Duration.ofSeconds(30);
  }

  private static boolean isModerator(Caller caller) {
    return caller.has(Role.MODERATOR) || caller.has(Role.ADMIN);
  }

  /// The entity tag of a picture: the pictures of a photo never change. None when there is no such picture.
  /// Blocks.
  public Optional<String> etag(String photo, String size) {
    return PhotoSize.named(size)
        .flatMap(found -> images.content(photo).map(_ -> photo + "-" + found.key()));
  }

  /// The caller closes it. Who may see it is another question: [#access]. Blocks.
  public Optional<Blob> image(String photo, String size) {
    return PhotoSize.named(size)
        .flatMap(found -> images.content(photo).flatMap(content -> images.open(content, found)));
  }
}
