package dev.torg.offers.photo.prepare;

import dev.torg.offers.Blob;
import dev.torg.offers.photo.PhotoSettings;
import dev.torg.offers.photo.blob.BlobStore;
import dev.torg.offers.photo.blob.DirectoryBlobStore;
import dev.torg.offers.photo.blob.S3BlobStore;
import dev.torg.offers.photo.image.PhotoSize;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Uploads and sizes in the store, by their keys.
public final class PhotoBlobStore implements AutoCloseable {
  private static final String UPLOADS = "uploads/";

  /// Longer than a request waits in its topic.
  private static final Duration UPLOAD_RETENTION = Duration.ofDays(8);

  /// The largest goes last: where it is, all are.
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
          case PhotoSettings.Store.S3 s3 -> new S3BlobStore(s3.bucket());
        });
  }

  public void keepUpload(String photo, Path file) {
    blobs.put(UPLOADS + photo, file);
  }

  public void dropUpload(String photo) {
    blobs.delete(UPLOADS + photo);
  }

  /// Uploads whose request never came to be: the process was killed in between.
  int sweepUploads(Instant now) {
    return blobs.sweep(UPLOADS, now.minus(UPLOAD_RETENTION));
  }

  boolean copyUpload(String photo, Path into) {
    return blobs.copy(UPLOADS + photo, into);
  }

  boolean hasSizes(String content) {
    return blobs.has(key(content, ORDER.getLast()));
  }

  void keepSizes(String content, Map<PhotoSize, byte[]> sizes) {
    for (PhotoSize size : ORDER) {
      blobs.put(key(content, size), sizes.getOrDefault(size, new byte[0]));
    }
  }

  /// The largest goes first: without it nobody believes in the others.
  void dropSizes(String content) {
    ORDER.reversed().forEach(size -> blobs.delete(key(content, size)));
  }

  Optional<Blob> size(String content, PhotoSize size) {
    return blobs.open(key(content, size));
  }

  /// Spread over directories by the first digits.
  private static String key(String content, PhotoSize size) {
    return "sizes/%s/%s/%s.jpg".formatted(content.substring(0, 2), content, size.key());
  }

  @Override
  public void close() {
    blobs.close();
  }
}
