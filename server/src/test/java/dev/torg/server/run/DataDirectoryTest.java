package dev.torg.server.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
  @TempDir Path path;

  @Test
  void acquire_newOrOpenDirectory_isClosedToOtherUsers(@TempDir Path directory) throws IOException {
    Path newDirectory = directory.resolve("fresh");
    Path open = Files.createDirectory(directory.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
    for (Path path : List.of(newDirectory, open)) {
      DataDirectory.acquire(path).close();
      assertThat(mode(path)).isEqualTo("rwx------");
    }
  }

  @Test
  void acquire_directoryOfAnotherUser_reportsWhose(@TempDir Path directory) throws IOException {
    Path otherUsersDirectory = Path.of("/proc/1");
    if (Files.isWritable(Path.of("/etc/shadow"))) {
      otherUsersDirectory = Files.createDirectory(directory.resolve("foreign"));
      Files.setAttribute(otherUsersDirectory, "unix:uid", 65_534);
    }
    Path refused = otherUsersDirectory;
    assertThatThrownBy(() -> DataDirectory.acquire(refused))
        .hasMessageContaining("cannot use the data directory")
        .hasMessageContaining("belongs to user");
  }

  @Test
  void write_note_isForThisUserOnlyAndHoldsNoPassword(@TempDir Path directory) throws IOException {
    String database = "postgresql://127.0.0.1:1/torg?user=torg&password=secret&sslpassword=other";
    RunningInstance note =
        new RunningInstance(1, "http://127.0.0.1:1", database, "k:1", true, Instant.EPOCH);
    note.write(directory);
    assertThat(mode(directory.resolve("running"))).isEqualTo("rw-------");
    assertThat(Files.readString(directory.resolve("running"))).doesNotContain("secret", "other");
    assertThat(note.describedDatabase()).isEqualTo("postgresql://torg@127.0.0.1:1/torg");
    assertThat(note.toString()).doesNotContain("secret");
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void acquire_heldByAnother_reportsItsOwner() {
    try (DataDirectory held = DataDirectory.acquire(path)) {
      long pid = ProcessHandle.current().pid();
      new RunningInstance(pid, "http://127.0.0.1:8080", "db", "kafka", Instant.EPOCH)
          .write(held.path());
      assertThatThrownBy(() -> DataDirectory.acquire(path))
          .hasMessageContaining("process " + pid)
          .hasMessageContaining(":8080");
    }
  }

  @Test
  void acquire_afterClose_isFreeAndHasNoOwner() {
    DataDirectory.acquire(path).close();
    DataDirectory.acquire(path).close();
    assertThat(RunningInstance.read(path)).isEmpty();
  }

  @Test
  void read_noteWhoseNumberAnotherProcessHasNow_isEmpty() {
    DataDirectory.acquire(path).close();
    long alive = ProcessHandle.current().pid();
    new RunningInstance(alive, "http://127.0.0.1:1", "db", "kafka", Instant.EPOCH).write(path);
    assertThat(RunningInstance.read(path)).isEmpty();
  }

  @Test
  void read_whileHeld_findsItAndKeepsTheLock() throws Exception {
    try (DataDirectory held = DataDirectory.acquire(path)) {
      long alive = ProcessHandle.current().pid();
      new RunningInstance(alive, "http://127.0.0.1:1", "db", "kafka", Instant.EPOCH).write(path);
      assertThat(RunningInstance.read(held.path())).isPresent();
      assertThatThrownBy(() -> DataDirectory.acquire(path)).isNotNull();
      assertThat(lockFromAnotherProcess()).isNotZero();
    }
    assertThat(lockFromAnotherProcess()).isZero();
  }

  /// The exit code of a process that tries to lock the lock file as Java does; 0 when it could.
  private int lockFromAnotherProcess() throws Exception {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            TryLock.class.getName(),
            path.resolve("lock").toString())
        .redirectErrorStream(true)
        .start()
        .waitFor();
  }

  /// `torg status` in another process.
  @Test
  void acquire_whileItsOwnerIsBeingRead_waits() throws Exception {
    DataDirectory.acquire(path).close();
    Process statusProcess =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                LongCheck.class.getName(),
                path.resolve("lock").toString())
            .start();
    assertThat(statusProcess.getInputStream().read()).isEqualTo('x');
    DataDirectory.acquire(path).close();
    assertThat(statusProcess.waitFor()).isZero();
  }

  /// A check that takes longer than any real one.
  static final class LongCheck {
    private LongCheck() {}

    static void main(String[] arguments) throws Exception {
      try (FileChannel file = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.READ);
          var _ = file.lock(0, Long.MAX_VALUE, true)) {
        System.out.println("x");
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
      }
    }
  }

  /// Runs in a separate process.
  static final class TryLock {
    private TryLock() {}

    static void main(String[] arguments) throws Exception {
      try (FileChannel file = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.WRITE)) {
        System.exit(file.tryLock() == null ? 1 : 0);
      }
    }
  }

  @Test
  void read_noteOfADeadProcess_isEmpty() {
    new RunningInstance(Integer.MAX_VALUE, "http://127.0.0.1:1", "db", "kafka", Instant.EPOCH)
        .write(path);
    assertThat(RunningInstance.read(path)).isEmpty();
  }
}
