package dev.torg.embedded;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// Directories and files that only the user of this process can read, whatever the umask.
public final class PrivateDirectory {
  private static final Set<PosixFilePermission> DIRECTORY =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

  private static final int OTHERS = 0077;
  private static final int STICKY = 01000;

  private PrivateDirectory() {}

  /// What to do with an existing directory.
  enum Verdict {
    PRIVATE,
    TIGHTEN,
    OTHER_OWNER,
    SHARED
  }

  /// Creates the directory with mode 0700. One that exists is tightened to 0700 if it belongs to this
  /// user, and refused otherwise.
  public static Path ensure(Path path) throws IOException {
    if (path.getParent() != null) {
      Files.createDirectories(path.getParent());
    }
    try {
      Files.createDirectory(path, PosixFilePermissions.asFileAttribute(DIRECTORY));
    } catch (FileAlreadyExistsException e) {
      tighten(path);
    }
    return path;
  }

  /// The attribute that creates a file with mode 0600.
  public static FileAttribute<?> fileMode() {
    return PosixFilePermissions.asFileAttribute(FILE);
  }

  private static void tighten(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      throw new FileSystemException(path + " is not a directory");
    }
    int owner = (int) Files.getAttribute(path, "unix:uid");
    int self = ServerUser.self();
    switch (verdict(owner, self, (int) Files.getAttribute(path, "unix:mode"))) {
      case PRIVATE -> {}
      case TIGHTEN -> Files.setPosixFilePermissions(path, DIRECTORY);
      case OTHER_OWNER ->
          throw new FileSystemException(
              "%s belongs to user %d and this process runs as user %d; run it as the owner, or give it a directory of its own"
                  .formatted(path, owner, self));
      case SHARED ->
          throw new FileSystemException(
              path + " is shared by all users (sticky bit); name a directory below it");
    }
  }

  static Verdict verdict(int owner, int self, int mode) {
    if (owner != self) {
      return Verdict.OTHER_OWNER;
    }
    if ((mode & STICKY) != 0) {
      return Verdict.SHARED;
    }
    return (mode & OTHERS) == 0 ? Verdict.PRIVATE : Verdict.TIGHTEN;
  }
}
