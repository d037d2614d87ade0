package dev.torg.photos.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.photos.Blob;
import dev.torg.photos.PhotoSettings;
import dev.torg.platform.Failure;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class S3BlobStoreTest extends BlobStoreContract {
  private final TestBucket bucket = new TestBucket();
  private final BlobStore blobs = blobs("secret", "shop/");

  S3BlobStoreTest() throws IOException {}

  private BlobStore blobs(String secret, String prefix) {
    return new S3BlobStore(
        new PhotoSettings.Store.Bucket(
            "bucket",
            prefix,
            "eu-1",
            Optional.of(bucket.endpoint()),
            Optional.of(new PhotoSettings.Keys("key", secret))));
  }

  @Override
  BlobStore blobs() {
    return blobs;
  }

  @AfterEach
  void close() {
    blobs.close();
    bucket.close();
  }

  @Test
  void put_keysBeginWithThePrefix() {
    blobs.put("uploads/one", new byte[] {1});
    assertThat(bucket.objects()).containsOnlyKeys("shop/uploads/one");
  }

  @Test
  void put_storeDown_isUnavailable() {
    bucket.unavailable(true);
    assertThatThrownBy(() -> blobs.put("uploads/one", new byte[1]))
        .isInstanceOfSatisfying(
            Failure.class, e -> assertThat(e.code()).isEqualTo(Blob.UNAVAILABLE_CODE));
  }
}
