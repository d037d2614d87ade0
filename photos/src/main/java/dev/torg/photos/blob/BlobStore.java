package dev.torg.photos.blob;

import dev.torg.photos.Blob;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/// Stores bytes by key. Keys are created by this module: lower-case words and slashes. A store that does
/// not respond is an UNAVAILABLE failure with [Blob#UNAVAILABLE_CODE]. All methods block.
public interface BlobStore extends AutoCloseable {
  void put(String key, byte[] bytes);

  void put(String key, Path file);

  boolean has(String key);

  /// Opens the blob for reading; the caller closes it.
  Optional<Blob> open(String key);

  /// Copies the blob into a file; false when the key does not exist.
  boolean copy(String key, Path into);

  /// Deleting a key that does not exist is not a failure.
  void delete(String key);

  /// Deletes blobs whose key has the prefix and that were written before the time. Returns how many.
  int sweep(String prefix, Instant before);

  @Override
  void close();
}
