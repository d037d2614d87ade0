package dev.torg.server.run;

import dev.torg.platform.Failure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// The directory where a Torg keeps everything. One process holds it at a time; the operating system ends the hold
/// with the process, so a kill leaves nothing to clean up.
public final class DataDirectory implements AutoCloseable {
  private final Path path;
  private final FileChannel lockFile;
  private final FileLock lock;

  private DataDirectory(Path path, FileChannel lockFile, FileLock lock) {
    this.path = path;
    this.lockFile = lockFile;
    this.lock = lock;
  }

  /// Takes the directory, making it if needed, or fails saying who holds it.
  public static DataDirectory take(Path path) {
    try {
      Files.createDirectories(path);
      FileChannel file =
          FileChannel.open(
              path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = tryLock(file);
      if (lock == null) {
        file.close();
        throw Failure.conflict("data.held", path + " is held by " + holder(path));
      }
      return new DataDirectory(path, file, lock);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot use the data directory " + path + ": " + e.getMessage(), e);
    }
  }

  public Path path() {
    return path;
  }

  public Path in(String name) {
    return path.resolve(name);
  }

  private static @Nullable FileLock tryLock(FileChannel file) throws IOException {
    try {
      return file.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private static String holder(Path path) {
    return RunningTorg.read(path)
        .map(
            running ->
                "process "
                    + running.pid()
                    + " at "
                    + running.address()
                    + ", up since "
                    + running.since())
        .orElse("another process that is just starting");
  }

  @Override
  public void close() {
    try (lockFile) {
      RunningTorg.forget(path);
      lock.release();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
