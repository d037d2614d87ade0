package dev.torg.offers.photo.prepare;

import com.google.common.hash.Hashing;
import com.google.common.io.MoreFiles;
import dev.torg.api.v1.PhotoRequest;
import dev.torg.offers.photo.InvalidPhotoException;
import dev.torg.offers.photo.fetch.HostBusyException;
import dev.torg.offers.photo.fetch.HostUnreachableException;
import dev.torg.offers.photo.image.PhotoSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/// One attempt: from where the photo is to its sizes in the store.
final class PhotoProcessor {
  private final Means means;
  private final PhotoBlobStore blobs;
  private final ContentReferenceStore uses;
  private final InstantSource clock;

  PhotoProcessor(
      Means means, PhotoBlobStore blobs, ContentReferenceStore uses, InstantSource clock) {
    this.means = means;
    this.blobs = blobs;
    this.uses = uses;
    this.clock = clock;
  }

  /// What it takes, which all photos share.
  record Means(Fetching fetching, Sizing sizing) {}

  /// A way of [dev.torg.offers.photo.fetch.FetchPhoto].
  @FunctionalInterface
  interface Fetching {
    void fetch(String url, Path into)
        throws InvalidPhotoException,
            HostUnreachableException,
            HostBusyException,
            IOException,
            InterruptedException;
  }

  /// A way of [dev.torg.offers.photo.image.MakeSizes].
  @FunctionalInterface
  interface Sizing {
    Map<PhotoSize, byte[]> sizes(Path file)
        throws InvalidPhotoException, IOException, InterruptedException;
  }

  /// The hash of what came, and whether it had to be stored.
  record Stored(String content, boolean isNew) {}

  Stored run(PhotoRequest request, PhotoInProgress way)
      throws InvalidPhotoException,
          HostUnreachableException,
          HostBusyException,
          IOException,
          InterruptedException {
    Path file = Files.createTempFile("torg-photo-", ".tmp");
    try {
      get(request, file, way);
      String content = MoreFiles.asByteSource(file).hash(Hashing.sha256()).toString();
      return new Stored(content, store(content, file, request.getPhotoId()));
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /// Whether it had to be stored. The use is written down before the last look at what is there: from
  /// then on nobody takes it away.
  private boolean store(String content, Path file, String photo)
      throws InvalidPhotoException, IOException, InterruptedException {
    Map<PhotoSize, byte[]> made = blobs.hasSizes(content) ? Map.of() : means.sizing().sizes(file);
    uses.add(content, photo, clock.instant());
    if (blobs.hasSizes(content)) {
      return false;
    }
    blobs.keepSizes(content, made.isEmpty() ? means.sizing().sizes(file) : made);
    return true;
  }

  private void get(PhotoRequest request, Path file, PhotoInProgress way)
      throws InvalidPhotoException,
          HostUnreachableException,
          HostBusyException,
          IOException,
          InterruptedException {
    if (!request.getUrl().isEmpty()) {
      fetch(request.getUrl(), file, way);
    } else if (!blobs.copyUpload(request.getPhotoId(), file)) {
      throw new InvalidPhotoException("upload-lost", "the upload is lost: send it again");
    }
  }

  private void fetch(String url, Path file, PhotoInProgress way)
      throws InvalidPhotoException,
          HostUnreachableException,
          HostBusyException,
          IOException,
          InterruptedException {
    way.fetching(true);
    try {
      means.fetching().fetch(url, file);
    } finally {
      way.fetching(false);
    }
  }
}
