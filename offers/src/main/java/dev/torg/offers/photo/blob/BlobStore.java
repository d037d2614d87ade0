package dev.torg.offers.photo.blob;

import dev.torg.offers.Blob;
import dev.torg.platform.Failure;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A store of bytes by key. Keys are ours: lower-case words and slashes. A store that does not answer is
/// an UNAVAILABLE failure.
public interface BlobStore extends AutoCloseable {
  /// The code of the failure when it does not answer.
  String UNAVAILABLE_CODE = "photos.store-away";

  void put(String key, byte[] bytes);

  void put(String key, Path file);

  boolean has(String key);

  /// Opens what is under the key for reading.
  Optional<Blob> open(String key);

  /// False when there is nothing under the key.
  boolean copy(String key, Path into);

  /// Nothing there is as good.
  void delete(String key);

  /// Deletes what begins so and was written before; how many.
  int sweep(String prefix, Instant before);

  @Override
  void close();

  static Failure unavailable(@Nullable Throwable cause) {
    return Failure.unavailable(UNAVAILABLE_CODE, "the photo store does not answer", cause);
  }
}
