package dev.torg.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A directory lock, held by one process at a time. The kernel releases it when the process dies in any way;
/// the file names the holder.
final class DirectoryLock {
  /// The locks of this process. Checked first, because closing any channel of the lock file would release the
  /// lock for the whole process.
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path directory;
  private final FileChannel channel;

  private DirectoryLock(Path directory, FileChannel channel) {
    this.directory = directory;
    this.channel = channel;
  }

  static DirectoryLock acquire(Path path) {
    try {
      Path directory = PrivateDirectory.ensure(path).toRealPath();
      if (!HELD.add(directory)) {
        throw inUse(directory, "" + ProcessHandle.current().pid());
      }
      try {
        return new DirectoryLock(directory, lock(directory));
      } catch (IOException | RuntimeException e) {
        HELD.remove(directory);
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void release() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      HELD.remove(directory);
    }
  }

  private static FileChannel lock(Path directory) throws IOException {
    FileChannel channel =
        FileChannel.open(file(directory), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (tryLock(channel) == null) {
      channel.close();
      throw inUse(directory, Files.readString(file(directory)).strip());
    }
    String holder = ProcessHandle.current().pid() + "\n";
    channel.truncate(0);
    channel.write(ByteBuffer.wrap(holder.getBytes(StandardCharsets.US_ASCII)), 0);
    return channel;
  }

  private static Path file(Path directory) {
    return directory.resolve("lock");
  }

  private static IllegalStateException inUse(Path directory, String holder) {
    return new IllegalStateException(directory + " is in use by process " + holder);
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }
}
