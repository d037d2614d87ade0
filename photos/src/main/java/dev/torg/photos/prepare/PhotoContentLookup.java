package dev.torg.photos.prepare;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.torg.api.v1.Photo.Status;
import dev.torg.photos.Blob;
import dev.torg.photos.PhotoIds;
import dev.torg.photos.image.PhotoSize;
import dev.torg.photos.prepare.PhotoStore.PhotoOutcome;
import dev.torg.platform.db.Database;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Finds the pictures of ready photos. The content of a photo never changes, so its hash is cached; the
/// pictures of a removed photo are deleted.
public final class PhotoContentLookup {
  /// About 30 MB of ids and hashes.
  private static final int MAX_CACHED_CONTENTS = 100_000;

  private static final Duration CACHE_TTL = Duration.ofMinutes(10);

  private final Database database;
  private final PhotoBlobStore blobs;
  private final PhotoStore photos = new PhotoStore();
  private final Cache<String, String> contents =
      Caffeine.newBuilder().maximumSize(MAX_CACHED_CONTENTS).expireAfterWrite(CACHE_TTL).build();

  public PhotoContentLookup(Database database, PhotoBlobStore blobs) {
    this.database = database;
    this.blobs = blobs;
  }

  /// The hash of a ready photo's content. Blocks.
  public Optional<String> content(String photo) {
    return PhotoIds.isId(photo)
        ? Optional.ofNullable(contents.get(photo, this::lookUp))
        : Optional.empty();
  }

  /// The caller closes it. Blocks.
  public Optional<Blob> open(String content, PhotoSize size) {
    return blobs.size(content, size);
  }

  private @Nullable String lookUp(String photo) {
    return database
        .read(tx -> photos.find(tx, photo))
        .filter(outcome -> outcome.status() == Status.READY)
        .map(PhotoOutcome::content)
        .orElse(null);
  }
}
