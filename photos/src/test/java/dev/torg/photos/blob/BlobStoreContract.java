package dev.torg.photos.blob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.photos.Blob;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The contract of every blob store.
abstract class BlobStoreContract {
  private static final byte[] BYTES = "a picture".getBytes(StandardCharsets.UTF_8);

  @TempDir Path directory;

  abstract BlobStore blobs();

  private Optional<byte[]> read(String key) {
    return blobs()
        .open(key)
        .map(
            blob -> {
              try (blob) {
                byte[] bytes = blob.next(Integer.MAX_VALUE);
                assertThat(bytes).hasSize((int) blob.length());
                return bytes;
              }
            });
  }

  @Test
  void put_bytes_canBeRead() {
    blobs().put("sizes/ab/abc/full.jpg", BYTES);
    assertThat(blobs().has("sizes/ab/abc/full.jpg")).isTrue();
    assertThat(read("sizes/ab/abc/full.jpg")).hasValue(BYTES);
  }

  @Test
  void put_twice_keepsTheSecond() {
    blobs().put("uploads/one", BYTES);
    blobs().put("uploads/one", new byte[] {1});
    assertThat(read("uploads/one")).hasValue(new byte[] {1});
  }

  @Test
  void put_file_isCopiedBack() throws IOException {
    Path file = Files.write(directory.resolve("from"), new byte[3_000_000]);
    blobs().put("uploads/large", file);
    Path back = directory.resolve("back");
    assertThat(blobs().copy("uploads/large", back)).isTrue();
    assertThat(Files.mismatch(file, back)).isEqualTo(-1);
  }

  @Test
  void open_readInPieces_returnsAllBytes() {
    blobs().put("uploads/pieces", BYTES);
    try (Blob blob = blobs().open("uploads/pieces").orElseThrow()) {
      assertThat(blob.length()).isEqualTo(BYTES.length);
      assertThat(blob.next(4)).isEqualTo("a pi".getBytes(StandardCharsets.UTF_8));
      assertThat(blob.next(100)).isEqualTo("cture".getBytes(StandardCharsets.UTF_8));
      assertThat(blob.next(100)).isEmpty();
    }
  }

  @Test
  void open_closedEarly_endsQuietly() {
    blobs().put("uploads/early", new byte[3_000_000]);
    try (Blob blob = blobs().open("uploads/early").orElseThrow()) {
      assertThat(blob.next(10)).hasSize(10);
    }
    assertThat(read("uploads/early").orElseThrow()).hasSize(3_000_000);
  }

  @Test
  void read_unknownKey_isEmpty() {
    assertThat(blobs().has("uploads/none")).isFalse();
    assertThat(read("uploads/none")).isEmpty();
    assertThat(blobs().copy("uploads/none", directory.resolve("none"))).isFalse();
  }

  @Test
  void delete_twice_succeeds() {
    blobs().put("uploads/two", BYTES);
    blobs().delete("uploads/two");
    blobs().delete("uploads/two");
    assertThat(blobs().has("uploads/two")).isFalse();
  }

  @Test
  void sweep_deletesOldBlobsWithPrefix() {
    blobs().put("uploads/old", BYTES);
    blobs().put("sizes/old", BYTES);
    assertThat(blobs().sweep("uploads/", Instant.EPOCH)).isZero();
    assertThat(blobs().sweep("uploads/", Instant.parse("2999-01-01T00:00:00Z"))).isPositive();
    assertThat(blobs().has("uploads/old")).isFalse();
    assertThat(blobs().has("sizes/old")).isTrue();
  }
}
