package dev.torg.server.run;

import dev.torg.embedded.PrivateDirectory;
import dev.torg.platform.Failure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The directory that holds all data of an installation. Only its user can enter it. One process
/// locks it at a time; the operating system releases the lock with the process, so a kill leaves
/// nothing to clean up.
public final class DataDirectory implements AutoCloseable {
  /// The directories that this process holds. Checked first, because closing any channel of the lock file would
  /// release the lock for the whole process.
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private static final String LOCK = "lock";
  private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofMillis(10);

  private final Path path;
  private final FileChannel lockFile;
  private final FileLock lock;

  private DataDirectory(Path path, FileChannel lockFile, FileLock lock) {
    this.path = path;
    this.lockFile = lockFile;
    this.lock = lock;
  }

  /// Locks the directory, creating it if needed, or fails with its holder or owner. A directory that other
  /// users could enter is closed to them.
  public static DataDirectory acquire(Path path) {
    try {
      Path real = PrivateDirectory.ensure(path).toRealPath();
      if (!HELD.add(real)) {
        throw held(path);
      }
      try {
        return lock(path);
      } catch (IOException | RuntimeException e) {
        HELD.remove(real);
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot use the data directory " + path + ": " + e.getMessage(), e);
    }
  }

  private static DataDirectory lock(Path path) throws IOException {
    FileChannel file =
        FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = tryLock(file);
    if (lock == null) {
      file.close();
      throw held(path);
    }
    return new DataDirectory(path, file, lock);
  }

  /// A process that only checks for a holder ([#isHeld]) has the lock briefly and does not count as
  /// one.
  private static @Nullable FileLock tryLock(FileChannel file) throws IOException {
    long deadline = System.nanoTime() + LOCK_TIMEOUT.toNanos();
    FileLock lock = file.tryLock();
    while (lock == null && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(PAUSE.toNanos());
      lock = file.tryLock();
    }
    return lock;
  }

  /// Whether a process, perhaps this one, holds the directory now.
  static synchronized boolean isHeld(Path path) {
    try {
      if (HELD.contains(path.toRealPath())) {
        return true;
      }
      try (FileChannel file = FileChannel.open(path.resolve(LOCK), StandardOpenOption.READ)) {
        return file.tryLock(0, Long.MAX_VALUE, true) == null;
      }
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot determine the holder of " + path + ": " + e.getMessage(), e);
    }
  }

  public Path path() {
    return path;
  }

  public Path in(String name) {
    return path.resolve(name);
  }

  private static Failure held(Path path) {
    return Failure.conflict("data.held", path + " is held by " + holder(path));
  }

  private static String holder(Path path) {
    return RunningInstance.read(path)
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
      RunningInstance.delete(path);
      lock.release();
      HELD.remove(path.toRealPath());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
