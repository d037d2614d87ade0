package dev.torg.offers;

import dev.torg.api.v1.Photo;
import dev.torg.platform.Caller;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// Accepts photos as files, which JSON cannot carry.
public interface PhotoFiles {
  /// The photos of an offer. Fails if the id is malformed.
  PhotoTarget ofOffer(Caller caller, String id);

  /// The photos of a draft of the caller. Fails if the id is malformed.
  PhotoTarget ofDraft(Caller caller, String id);

  /// The photos of an offer or a draft, to which a file is added.
  interface PhotoTarget {
    /// Fails if the caller may not add a photo, so that an upload is refused before it is read.
    ///
    /// @param key the idempotency key, if any: the request may be a repetition
    CompletableFuture<?> requireOpen(Optional<String> key);

    /// Adds a photo; the file may be deleted when the future completes. With an idempotency key, a
    /// repetition has the same result and no further effect.
    CompletableFuture<Photo> upload(Path file, Optional<String> key);
  }
}
