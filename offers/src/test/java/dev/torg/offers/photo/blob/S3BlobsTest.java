package dev.torg.offers.photo.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.platform.Failure;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class S3BlobsTest extends BlobsContract {
  private final TestBucket bucket = new TestBucket();
  private final Blobs blobs = blobs("secret", "shop/");

  S3BlobsTest() throws IOException {}

  private Blobs blobs(String secret, String prefix) {
    return new S3Blobs(
        new S3Blobs.Bucket(
            "bucket",
            prefix,
            "eu-1",
            Optional.of(bucket.endpoint()),
            Optional.of(new S3Blobs.Keys("key", secret))));
  }

  @Override
  Blobs blobs() {
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
  void put_storeAway_isUnavailable() {
    bucket.away(true);
    assertThatThrownBy(() -> blobs.put("uploads/one", new byte[1]))
        .isInstanceOfSatisfying(Failure.class, e -> assertThat(e.code()).isEqualTo(Blobs.AWAY));
  }
}
