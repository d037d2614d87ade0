package dev.torg.photos.prepare;

import dev.torg.photos.Blob;
import dev.torg.photos.PhotoSettings;
import dev.torg.photos.PhotoUploadStore;
import dev.torg.photos.blob.BlobStore;
import dev.torg.photos.blob.DirectoryBlobStore;
import dev.torg.photos.blob.S3BlobStore;
import dev.torg.photos.image.PhotoSize;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The uploads and sizes in the blob store.
public final class PhotoBlobStore implements PhotoUploadStore, AutoCloseable {
  private static final String UPLOADS = "uploads/";

  /// Longer than the retention of the request topics.
  private static final Duration UPLOAD_RETENTION = Duration.ofDays(8);

  /// The largest is written last: if it exists, all sizes exist.
  private static final List<PhotoSize> ORDER =
      List.of(PhotoSize.THUMB, PhotoSize.CARD, PhotoSize.FULL);

  private final BlobStore blobs;

  public PhotoBlobStore(BlobStore blobs) {
    this.blobs = blobs;
  }

  public static PhotoBlobStore open(PhotoSettings.Store store) {
    return new PhotoBlobStore(
        switch (store) {
          case PhotoSettings.Store.Directory directory -> new DirectoryBlobStore(directory.path());
          case PhotoSettings.Store.Bucket bucket -> new S3BlobStore(bucket);
        });
  }

  @Override
  public void storeUpload(String photo, Path file) {
    blobs.put(UPLOADS + photo, file);
  }

  @Override
  public void dropUpload(String photo) {
    blobs.delete(UPLOADS + photo);
  }

  /// Deletes uploads that were never requested because the process was killed. Returns how many.
  public int sweepUploads(Instant now) {
    return blobs.sweep(UPLOADS, now.minus(UPLOAD_RETENTION));
  }

  boolean copyUpload(String photo, Path into) {
    return blobs.copy(UPLOADS + photo, into);
  }

  boolean hasSizes(String content) {
    return blobs.has(key(content, ORDER.getLast()));
  }

  void storeSizes(String content, Map<PhotoSize, byte[]> sizes) {
    for (PhotoSize size : ORDER) {
      blobs.put(key(content, size), sizes.getOrDefault(size, new byte[0]));
    }
  }

  /// The largest is deleted first: without it all sizes count as missing.
  void dropSizes(String content) {
    ORDER.reversed().forEach(size -> blobs.delete(key(content, size)));
  }

  Optional<Blob> size(String content, PhotoSize size) {
    return blobs.open(key(content, size));
  }

  /// The first digits distribute the files over directories.
  private static String key(String content, PhotoSize size) {
    return "sizes/%s/%s/%s.jpg".formatted(content.substring(0, 2), content, size.key());
  }

  @Override
  public void close() {
    blobs.close();
  }
}
