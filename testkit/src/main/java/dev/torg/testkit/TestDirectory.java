package dev.torg.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/// Directories for fixtures that get none from JUnit. They are deleted when the tests' JVM ends.
public final class TestDirectory {
  private static final Queue<Path> CREATED = new ConcurrentLinkedQueue<>();

  static {
    AtExit.run(TestDirectory::deleteAll);
  }

  private TestDirectory() {}

  public static Path create(String name) {
    try {
      Path directory = Files.createTempDirectory("torg-" + name + "-");
      CREATED.add(directory);
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void deleteAll() {
    for (Path directory : CREATED) {
      try (Stream<Path> files = Files.walk(directory)) {
        List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
        for (Path file : deepestFirst) {
          Files.deleteIfExists(file);
        }
      } catch (IOException e) {
        System.err.println("cannot remove " + directory + ": " + e.getMessage());
      }
    }
  }
}
