package dev.torg.embedded;

import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Set;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/// Unpacks the server's binaries from their jar once per version, into the user's cache directory; for root
/// into `/var/cache/torg` where other users cannot reach the cache directory, as the server runs as one of
/// them.
///
/// The archive's digest names the directory, and it appears there by one rename: several processes may unpack
/// concurrently, and none sees a partial directory.
final class PostgresBinaries {
  private static final Path SYSTEM_CACHE = Path.of("/var/cache/torg");
  private static final Set<PosixFilePermission> PROGRAM =
      PosixFilePermissions.fromString("rwxr-xr-x");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-r--r--");

  private PostgresBinaries() {}

  static Path unpack(ServerUser user) throws IOException {
    Path cache = cache(user);
    Path target = cache.resolve("postgres-" + digest());
    if (!Files.isDirectory(target)) {
      Files.createDirectories(cache);
      Path unpacked = Files.createTempDirectory(cache, "unpacking-");
      unpackInto(unpacked);
      moveUnlessExists(unpacked, target);
    }
    requireOwn(target);
    if (!user.isSelf()) {
      Files.setPosixFilePermissions(cache, PROGRAM);
      Files.setPosixFilePermissions(target, PROGRAM);
    }
    return target;
  }

  /// Refuses programs that another user has put there.
  private static void requireOwn(Path target) throws IOException {
    if (!Files.getAttribute(target, "unix:uid").equals(ServerUser.self())) {
      throw new IOException(target + " belongs to another user; remove it");
    }
  }

  private static Path cache(ServerUser user) {
    Path userCache = cache();
    return user.isSelf() || isReachableByAll(userCache) ? userCache : SYSTEM_CACHE;
  }

  /// Whether every directory above, as far as it exists, lets other users pass.
  private static boolean isReachableByAll(Path cache) {
    for (Path path = cache.toAbsolutePath().getParent(); path != null; path = path.getParent()) {
      try {
        if (!Files.getPosixFilePermissions(path).contains(PosixFilePermission.OTHERS_EXECUTE)) {
          return false;
        }
      } catch (NoSuchFileException e) {
        continue;
      } catch (IOException e) {
        return false;
      }
    }
    return true;
  }

  private static Path cache() {
    String xdgCacheHome = System.getenv("XDG_CACHE_HOME");
    Path base =
        xdgCacheHome != null && !xdgCacheHome.isEmpty()
            ? Path.of(xdgCacheHome)
            : Path.of(System.getProperty("user.home"), ".cache");
    return base.resolve("torg");
  }

  private static InputStream archive() throws IOException {
    String machine =
        switch (System.getProperty("os.arch")) {
          case "aarch64" -> "arm_64";
          case String other -> other.equals("amd64") ? "x86_64" : other;
        };
    String name = "/postgres-linux-" + machine + ".txz";
    InputStream archive = PostgresBinaries.class.getResourceAsStream(name);
    if (archive == null) {
      throw new FileNotFoundException("no PostgreSQL binaries for this machine: " + name);
    }
    return archive;
  }

  private static String digest() throws IOException {
    try (DigestInputStream in =
        new DigestInputStream(archive(), MessageDigest.getInstance("SHA-256"))) {
      in.transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(in.getMessageDigest().digest(), 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void unpackInto(Path directory) throws IOException {
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(archive())))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        write(tar, entry, directory.resolve(entry.getName()).normalize());
      }
    }
  }

  private static void write(TarArchiveInputStream tar, TarArchiveEntry entry, Path file)
      throws IOException {
    if (entry.isDirectory()) {
      createDirectory(file);
      return;
    }
    createDirectory(Objects.requireNonNull(file.getParent()));
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
      return;
    }
    Files.copy(tar, file);
    Files.setPosixFilePermissions(file, (entry.getMode() & 0100) != 0 ? PROGRAM : FILE);
  }

  /// Sets the mode explicitly, since the umask may remove other users' permissions. The top
  /// directory is not accessible to them yet.
  private static void createDirectory(Path directory) throws IOException {
    if (Files.notExists(directory)) {
      createDirectory(Objects.requireNonNull(directory.getParent()));
      Files.createDirectory(directory);
      Files.setPosixFilePermissions(directory, PROGRAM);
    }
  }

  private static void moveUnlessExists(Path unpacked, Path target) throws IOException {
    try {
      Files.move(unpacked, target);
    } catch (FileSystemException e) {
      if (!Files.isDirectory(target)) {
        throw e;
      }
    }
  }
}
