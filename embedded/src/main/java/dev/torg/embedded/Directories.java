package dev.torg.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Deletes a directory with all it holds; one that is not there is fine.
final class Directories {
  private Directories() {}

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
