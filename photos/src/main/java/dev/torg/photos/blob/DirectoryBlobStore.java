package dev.torg.photos.blob;

import dev.torg.photos.Blob;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/// Files in a directory that the processes of a cluster share. A file is written under a temporary name,
/// synced, and renamed atomically; then the directory is synced, so that the name survives a crash.
public final class DirectoryBlobStore implements BlobStore {
  /// Files are written here before they are renamed. A crash leaves incomplete ones behind.
  private static final String TEMP_DIRECTORY = "writing";

  private final Path root;

  public DirectoryBlobStore(Path root) {
    this.root = root.toAbsolutePath();
  }

  @Override
  public void put(String key, byte[] bytes) {
    write(
        key,
        file -> {
          ByteBuffer remaining = ByteBuffer.wrap(bytes);
          while (remaining.hasRemaining()) {
            file.write(remaining);
          }
        });
  }

  @Override
  public void put(String key, Path from) {
    write(
        key,
        file -> {
          try (FileChannel source = FileChannel.open(from)) {
            long size = source.size();
            for (long done = 0; done < size; ) {
              done += source.transferTo(done, size - done, file);
            }
          }
        });
  }

  @Override
  public boolean has(String key) {
    return Files.exists(path(key));
  }

  @Override
  public Optional<Blob> open(String key) {
    try {
      FileChannel file = FileChannel.open(path(key));
      return Optional.of(new Blob(file.size(), Channels.newInputStream(file)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw Blob.unavailable(e);
    }
  }

  @Override
  public boolean copy(String key, Path into) {
    try {
      Files.copy(path(key), into, StandardCopyOption.REPLACE_EXISTING);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      throw Blob.unavailable(e);
    }
  }

  @Override
  public void delete(String key) {
    try {
      Files.deleteIfExists(path(key));
    } catch (IOException e) {
      throw Blob.unavailable(e);
    }
  }

  @Override
  public int sweep(String prefix, Instant before) {
    return sweepDirectory(path(prefix), before)
        + sweepDirectory(root.resolve(TEMP_DIRECTORY), before);
  }

  @Override
  public void close() {}

  @FunctionalInterface
  private interface Writing {
    void to(FileChannel file) throws IOException;
  }

  private void write(String key, Writing writing) {
    Path target = path(key);
    Path temporary = root.resolve(TEMP_DIRECTORY).resolve(UUID.randomUUID().toString());
    try {
      Files.createDirectories(above(temporary));
      createDirectories(above(target));
      try (FileChannel file =
          FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        writing.to(file);
        file.force(true);
      }
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
      force(above(target));
    } catch (IOException e) {
      temporary.toFile().delete();
      throw Blob.unavailable(e);
    }
  }

  /// Syncs the parents too: the name of a new directory must survive a crash.
  private static void createDirectories(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      Path above = above(directory);
      createDirectories(above);
      Files.createDirectories(directory);
      force(above);
    }
  }

  private static void force(Path directory) throws IOException {
    try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
      names.force(true);
    }
  }

  /// Never null: the root is absolute.
  private static Path above(Path path) {
    return Objects.requireNonNull(path.getParent());
  }

  private Path path(String key) {
    return root.resolve(key);
  }

  private static int sweepDirectory(Path directory, Instant before) {
    if (!Files.isDirectory(directory)) {
      return 0;
    }
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> old = files.filter(file -> isOlder(file, before)).toList();
      old.forEach(file -> file.toFile().delete());
      return old.size();
    } catch (IOException e) {
      throw Blob.unavailable(e);
    }
  }

  private static boolean isOlder(Path file, Instant before) {
    try {
      return Files.isRegularFile(file)
          && Files.getLastModifiedTime(file).toInstant().isBefore(before);
    } catch (IOException e) {
      return false;
    }
  }
}
