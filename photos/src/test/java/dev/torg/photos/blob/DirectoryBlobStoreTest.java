package dev.torg.photos.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.photos.Blob;
import dev.torg.platform.Failure;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

class DirectoryBlobStoreTest extends BlobStoreContract {
  @Override
  BlobStore blobs() {
    return new DirectoryBlobStore(directory.resolve("photos"));
  }

  @Test
  void put_leavesNoTemporaryFile() throws IOException {
    blobs().put("uploads/one", new byte[1000]);
    try (var background = Files.list(directory.resolve("photos/writing"))) {
      assertThat(background).isEmpty();
    }
  }

  @Test
  void put_directoryIsAFile_isUnavailable() throws IOException {
    Files.writeString(directory.resolve("photos"), "a file is in the way");
    assertThatThrownBy(() -> blobs().put("uploads/one", new byte[1]))
        .isInstanceOfSatisfying(
            Failure.class, e -> assertThat(e.code()).isEqualTo(Blob.UNAVAILABLE_CODE));
  }
}
