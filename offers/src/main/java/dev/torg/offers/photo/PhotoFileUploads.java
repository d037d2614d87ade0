package dev.torg.offers.photo;

import dev.torg.api.v1.Photo;
import dev.torg.offers.PhotoFiles;
import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.platform.Caller;
import dev.torg.platform.OfferId;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// Adds uploaded files to offers and drafts.
public record PhotoFileUploads(PhotoService photos) implements PhotoFiles {
  @Override
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

  @Override
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
}
