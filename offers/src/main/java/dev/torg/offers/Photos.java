package dev.torg.offers;

import dev.torg.api.v1.Photo;
import dev.torg.offers.life.DraftKey;
import dev.torg.offers.photo.change.PhotoService;
import dev.torg.offers.photo.fetch.FetchLimits;
import dev.torg.offers.photo.image.Size;
import dev.torg.offers.photo.prepare.PhotoImages;
import dev.torg.platform.Caller;
import dev.torg.platform.OfferId;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// What cannot be said in JSON: photos as files and as pictures.
public final class Photos {
  /// Of a file that is uploaded.
  public static final long MOST_BYTES = FetchLimits.MOST_BYTES;

  /// What pictures are.
  public static final String CONTENT_TYPE = "image/jpeg";

  private final PhotoService photos;
  private final PhotoImages images;

  Photos(PhotoService photos, PhotoImages images) {
    this.photos = photos;
    this.images = images;
  }

  /// An offer's or a draft's photos, as one of them is about to get another. What is no id fails, and
  /// what the caller may not change is refused at once.
  public interface Album {
    /// @param key of the request, which may be a repetition
    CompletableFuture<?> requireOpen(Optional<String> key);

    /// Adds a photo; the file may go when the future is complete. With an idempotency key, a repetition
    /// has the same answer and no further effect.
    CompletableFuture<Photo> upload(Path file, Optional<String> key);
  }

  public Album ofOffer(Caller caller, String id) {
    OfferId offer = OfferId.parse(id);
    return new Album() {
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

  public Album ofDraft(Caller caller, String id) {
    DraftKey draft = DraftKey.parse(caller.subject(), id);
    return new Album() {
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

  /// What tells a picture from every other, for good; none when there is no such picture. Blocks.
  public Optional<String> tag(String photo, String size) {
    return Size.named(size)
        .flatMap(found -> images.content(photo).map(content -> content + "-" + found.key()));
  }

  /// To be closed by whoever asked. Blocks.
  public Optional<Blob> picture(String photo, String size) {
    return Size.named(size)
        .flatMap(found -> images.content(photo).flatMap(content -> images.open(content, found)));
  }
}
