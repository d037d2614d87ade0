package dev.torg.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Operations on whole directories.
final class Directories {
  private Directories() {}

  /// Forces the names in a directory to disk: a rename survives a power cut only after this.
  static void force(Path directory) throws IOException {
    try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
      names.force(true);
    }
  }

  /// Deletes a directory with its contents, if it exists.
  static void delete(Path directory) throws IOException {
    for (Path file : deepestFirst(directory)) {
      Files.deleteIfExists(file);
    }
  }

  private static List<Path> deepestFirst(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.sorted(Comparator.reverseOrder()).toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }
}
