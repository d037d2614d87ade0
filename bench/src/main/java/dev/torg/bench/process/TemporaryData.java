package dev.torg.bench.process;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/// A temporary data directory for one run.
public final class TemporaryData implements AutoCloseable {
  private final Path root;

  private TemporaryData(Path root) {
    this.root = root;
  }

  public static TemporaryData create(String name) throws IOException {
    return new TemporaryData(Files.createTempDirectory("torg-" + name + "-"));
  }

  public Path path() {
    return root.resolve("data");
  }

  @Override
  public void close() throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
              throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
