package dev.torg.photos;

import dev.torg.platform.Caller;
import java.time.Duration;
import java.util.Optional;

/// Serves the pictures of photos that are ready.
public interface PhotoImages {
  /// The media type of every picture.
  String CONTENT_TYPE = "image/jpeg";

  /// Whether the caller may see the pictures of a photo, and how they may be cached. Blocks.
  Access access(String photo, Optional<Caller> caller);

  /// The entity tag of a picture: the pictures of a photo never change. Empty when there is no such
  /// picture. Blocks.
  Optional<String> etag(String photo, String size);

  /// Opens a picture; the caller closes it. Does not check [#access]. Blocks.
  Optional<Blob> image(String photo, String size);

  /// How a picture may be served to a caller.
  enum Access {
    /// Visible to everybody; caches may store it for [#MAX_AGE].
    PUBLIC,
    /// This caller only, uncached.
    PRIVATE,
    NONE;

    /// How long clients may show a picture without revalidating it. A ban or a removal takes effect
    /// after this time and the time that each process caches its decision.
    public static final Duration MAX_AGE = Duration.ofSeconds(30);
  }
}
