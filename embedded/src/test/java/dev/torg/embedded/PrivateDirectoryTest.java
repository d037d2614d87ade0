package dev.torg.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrivateDirectoryTest {
  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "1000, 1000, 700, PRIVATE",
    "1000, 1000, 755, TIGHTEN",
    "1000, 1000, 710, TIGHTEN",
    "1000, 1000, 2770, TIGHTEN",
    "1000, 1000, 701, TIGHTEN",
    "1000, 1000, 1777, SHARED",
    "0, 1000, 1777, OTHER_OWNER",
    "0, 1000, 755, OTHER_OWNER",
    "1000, 0, 700, OTHER_OWNER",
  })
  void verdict_byOwnerAndMode(int owner, int self, String mode, PrivateDirectory.Verdict expected) {
    assertThat(PrivateDirectory.verdict(owner, self, Integer.parseInt(mode, 8)))
        .isEqualTo(expected);
  }

  @Test
  void ensure_newDirectory_isPrivateFromTheStart() throws Exception {
    Path created = PrivateDirectory.ensure(directory.resolve("a/b"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(created)))
        .isEqualTo("rwx------");
  }

  @Test
  void ensure_aFile_isRefused() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    assertThatThrownBy(() -> PrivateDirectory.ensure(file))
        .hasMessageContaining("is not a directory");
  }

  @Test
  void ensure_directoryOfAnotherUser_reportsWhose() throws Exception {
    Path otherUsersDirectory = Path.of("/proc/1");
    if (Files.getAttribute(otherUsersDirectory, "unix:uid").equals(ServerUser.self())) {
      otherUsersDirectory = Files.createDirectory(directory.resolve("foreign"));
      Files.setAttribute(otherUsersDirectory, "unix:uid", 65_534);
    }
    Path refused = otherUsersDirectory;
    assertThatThrownBy(() -> PrivateDirectory.ensure(refused))
        .hasMessageContaining("belongs to user")
        .hasMessageContaining("run it as the owner");
  }
}
