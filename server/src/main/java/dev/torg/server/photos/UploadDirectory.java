package dev.torg.server.photos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Files for uploads in progress, in a directory of this process only. What a killed process left
/// is deleted when the next one opens it.
final class UploadDirectory {
  private static final String PREFIX = "upload-";

  private final Path path;

  private UploadDirectory(Path path) {
    this.path = path;
  }

  static UploadDirectory open(Path path) {
    try {
      Files.createDirectories(path);
      try (Stream<Path> remaining = Files.list(path)) {
        remaining
            .filter(file -> file.getFileName().toString().startsWith(PREFIX))
            .forEach(UploadDirectory::delete);
      }
      return new UploadDirectory(path);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot use " + path + " for uploads", e);
    }
  }

  Path create() {
    try {
      return Files.createTempFile(path, PREFIX, ".tmp");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
