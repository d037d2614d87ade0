package dev.torg.embedded;

import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/// Unpacks the server's binaries from their jar once per version, into the user's cache directory.
///
/// The archive's digest names the directory, and it appears there by one rename: several processes
/// may unpack at the same moment, and none sees half of it.
final class PostgresBinaries {
  private PostgresBinaries() {}

  static Path unpack() throws IOException {
    Path target = cache().resolve("postgres-" + digest());
    if (!Files.isDirectory(target)) {
      Files.createDirectories(target.getParent());
      Path unpacked = Files.createTempDirectory(target.getParent(), "unpacking-");
      unpackInto(unpacked);
      moveOrKeepRival(unpacked, target);
    }
    return target;
  }

  private static Path cache() {
    String given = System.getenv("XDG_CACHE_HOME");
    Path base =
        given != null && !given.isEmpty()
            ? Path.of(given)
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
      Files.createDirectories(file);
      return;
    }
    Files.createDirectories(file.getParent());
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
      return;
    }
    Files.copy(tar, file);
    if ((entry.getMode() & 0100) != 0) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  private static void moveOrKeepRival(Path unpacked, Path target) throws IOException {
    try {
      Files.move(unpacked, target);
    } catch (FileSystemException e) {
      if (!Files.isDirectory(target)) {
        throw e;
      }
    }
  }
}
