package dev.torg.photos.prepare;

import com.google.common.hash.Hashing;
import com.google.common.io.MoreFiles;
import dev.torg.api.v1.PhotoRequest;
import dev.torg.photos.InvalidPhotoException;
import dev.torg.photos.PhotoLane;
import dev.torg.photos.fetch.FetchPhoto;
import dev.torg.photos.fetch.HostBusyException;
import dev.torg.photos.fetch.HostUnreachableException;
import dev.torg.photos.image.MakeSizes;
import dev.torg.photos.image.PhotoSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/// One attempt at a photo: fetches it, hashes it, makes its sizes and stores them.
public final class PhotoProcessor {
  private final FetchPhoto fetch;
  private final MakeSizes sizes;
  private final PhotoBlobStore blobs;
  private final ContentReferenceStore references;
  private final InstantSource clock;

  public PhotoProcessor(
      FetchPhoto fetch,
      MakeSizes sizes,
      PhotoBlobStore blobs,
      ContentReferenceStore references,
      InstantSource clock) {
    this.fetch = fetch;
    this.sizes = sizes;
    this.blobs = blobs;
    this.references = references;
    this.clock = clock;
  }

  /// The hash of the original, and whether its sizes had to be stored.
  record Stored(String content, boolean isNew) {}

  Stored run(PhotoLane lane, PhotoRequest request, PhotoInProgress progress)
      throws InvalidPhotoException,
          HostUnreachableException,
          HostBusyException,
          IOException,
          InterruptedException {
    Path file = Files.createTempFile("torg-photo-", ".tmp");
    try {
      get(lane, request, file, progress);
      String content = MoreFiles.asByteSource(file).hash(Hashing.sha256()).toString();
      return new Stored(content, store(lane, content, file, request.getPhotoId()));
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /// Returns whether the sizes had to be stored. The reference is added before the last check, so that no
  /// concurrent removal deletes them afterwards.
  private boolean store(PhotoLane lane, String content, Path file, String photo)
      throws InvalidPhotoException, IOException, InterruptedException {
    Map<PhotoSize, byte[]> created = blobs.hasSizes(content) ? Map.of() : sizes.of(lane, file);
    references.add(content, photo, clock.instant());
    if (blobs.hasSizes(content)) {
      return false;
    }
    blobs.storeSizes(content, created.isEmpty() ? sizes.of(lane, file) : created);
    return true;
  }

  private void get(PhotoLane lane, PhotoRequest request, Path file, PhotoInProgress progress)
      throws InvalidPhotoException,
          HostUnreachableException,
          HostBusyException,
          IOException,
          InterruptedException {
    if (!request.getUrl().isEmpty()) {
      fetch(lane, request.getUrl(), file, progress);
    } else if (!blobs.copyUpload(request.getPhotoId(), file)) {
      throw new InvalidPhotoException("upload-lost", "the upload is lost: send it again");
    }
  }

  private void fetch(PhotoLane lane, String url, Path file, PhotoInProgress progress)
      throws InvalidPhotoException,
          HostUnreachableException,
          HostBusyException,
          IOException,
          InterruptedException {
    progress.fetching(true);
    try {
      fetch.fetch(lane, url, file);
    } finally {
      progress.fetching(false);
    }
  }
}
