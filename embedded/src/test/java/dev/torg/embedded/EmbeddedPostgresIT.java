package dev.torg.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedPostgresIT {
  /// An idle machine needs half a second; this allows for a busy one.
  private static final Duration QUICK = Duration.ofSeconds(15);

  @TempDir Path directory;

  @Test
  void start_newDirectory_isDurable() throws SQLException {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
      assertThat(TestSql.query(postgres.url(), "SHOW fsync")).isEqualTo("on");
      assertThat(TestSql.query(postgres.url(), "SHOW synchronous_commit")).isEqualTo("on");
      assertThat(TestSql.query(postgres.url(), "SHOW full_page_writes")).isEqualTo("on");
    }
  }

  @Test
  void start_afterClose_keepsDataAndIsQuick() throws SQLException {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
      TestSql.run(postgres.url(), "CREATE TABLE kept AS SELECT 42 AS number");
    }
    long startNanos = System.nanoTime();
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
      assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(QUICK);
      assertThat(TestSql.query(postgres.url(), "SELECT number FROM kept")).isEqualTo("42");
    }
  }

  @Test
  void start_directoryInUse_reportsItsOwner() {
    EmbeddedPostgres first = EmbeddedPostgres.start(directory, 0);
    try (first) {
      assertThatThrownBy(() -> EmbeddedPostgres.start(directory, 0))
          .hasMessageContaining("in use by process " + ProcessHandle.current().pid());
    }
  }

  @Test
  void start_staleFileOfAnotherProcess_startsAnyway() throws IOException, SQLException {
    EmbeddedPostgres.start(directory, 0).close();
    Path pidFile = directory.resolve("data/postmaster.pid");
    Files.writeString(pidFile, ProcessHandle.current().pid() + "\n/elsewhere\n1\n1\n\n\n\n");
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
      assertThat(TestSql.query(postgres.url(), "SELECT 1")).isEqualTo("1");
    }
  }

  @Test
  void start_halfInitialized_startsOver() throws IOException, SQLException {
    Files.createDirectories(directory.resolve("data.unfinished"));
    Files.writeString(directory.resolve("data.unfinished/PG_VERSION"), "18\n");
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
      assertThat(TestSql.query(postgres.url(), "SELECT 1")).isEqualTo("1");
    }
  }

  @Test
  void processKilled_serverStopsByItself() throws Exception {
    Process owner = ownerInAnotherProcess();
    owner.destroyForcibly();
    Path itsFile = directory.resolve("data/postmaster.pid");
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (Files.exists(itsFile) && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    assertThat(itsFile).doesNotExist();
  }

  @Test
  void start_afterProcessWasKilled_recoversTheDataQuickly() throws Exception {
    Process owner = ownerInAnotherProcess();
    owner.destroyForcibly().waitFor();
    long startNanos = System.nanoTime();
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
      assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(QUICK);
      assertThat(TestSql.query(postgres.url(), "SELECT number FROM kept")).isEqualTo("7");
    }
  }

  @Test
  void start_afterServerAndProcessWereKilled_recoversTheData() throws Exception {
    Process owner = ownerInAnotherProcess();
    serverOf(owner).destroyForcibly();
    owner.destroyForcibly().waitFor();
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
      assertThat(TestSql.query(postgres.url(), "SELECT number FROM kept")).isEqualTo("7");
    }
  }

  @Test
  void start_orphanStillRuns_stopsItAndTakesOver() throws Exception {
    Process owner = ownerInAnotherProcess();
    ProcessHandle server = serverOf(owner);
    new ProcessBuilder("kill", "-STOP", "" + server.pid()).start().waitFor();
    owner.destroyForcibly().waitFor();
    Thread resumer =
        Thread.ofVirtual()
            .start(
                () -> {
                  awaitLock();
                  signal("-CONT", server);
                });
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
      assertThat(TestSql.query(postgres.url(), "SELECT number FROM kept")).isEqualTo("7");
      assertThat(server().pid()).isNotEqualTo(server.pid());
    } finally {
      resumer.join();
    }
  }

  @Test
  void serverKilled_isBackOnTheSamePortWithTheData() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
      TestSql.run(postgres.url(), "CREATE TABLE kept AS SELECT 42 AS number");
      for (int i = 0; i < 2; i++) {
        ProcessHandle killed = server();
        killed.destroyForcibly();
        killed.onExit().get(20, TimeUnit.SECONDS);
        assertThat(queryOnceRestarted(postgres.url(), "SELECT number FROM kept")).isEqualTo("42");
        assertThat(server().pid()).isNotEqualTo(killed.pid());
      }
    }
    assertThat(directory.resolve("data/postmaster.pid")).doesNotExist();
  }

  @Test
  void serverKilled_thatCannotStartAgain_isLost() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
      CompletableFuture<String> lost = new CompletableFuture<>();
      postgres.onLoss(lost::complete);
      Files.delete(directory.resolve("data/global/pg_control"));
      server().destroyForcibly();
      assertThat(lost.get(60, TimeUnit.SECONDS)).contains("pg_control");
    }
  }

  @Test
  void start_directoryInUseRequestedTwice_isStillHeldAgainstOthers() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
      assertThatThrownBy(() -> EmbeddedPostgres.start(directory, 0)).isNotNull();
      Process other = process();
      assertThat(other.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(other.exitValue()).isNotZero();
      assertThat(TestSql.query(postgres.url(), "SELECT 1")).isEqualTo("1");
    }
  }

  /// A process that starts a server on the directory, writes a row and then waits.
  static final class Owner {
    private Owner() {}

    static void main(String[] args) throws Exception {
      EmbeddedPostgres postgres = EmbeddedPostgres.start(Path.of(args[0]), 0);
      TestSql.run(postgres.url(), "CREATE TABLE kept AS SELECT 7 AS number");
      System.out.println("written");
      System.in.read();
    }
  }

  private Process process() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Owner.class.getName(),
            directory.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private Process ownerInAnotherProcess() throws IOException {
    Process owner = process();
    assertThat(owner.inputReader().lines().anyMatch("written"::equals)).isTrue();
    return owner;
  }

  private ProcessHandle serverOf(Process owner) throws IOException {
    ProcessHandle server = server();
    assertThat(owner.children().map(ProcessHandle::pid)).contains(server.pid());
    return server;
  }

  private ProcessHandle server() throws IOException {
    String pid = Files.readAllLines(directory.resolve("data/postmaster.pid")).getFirst();
    return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
  }

  private static String queryOnceRestarted(String url, String sql) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      try {
        return TestSql.query(url, sql);
      } catch (SQLException e) {
        assertThat(System.nanoTime()).as(e.getMessage()).isLessThan(deadline);
        TimeUnit.MILLISECONDS.sleep(50);
      }
    }
  }

  /// Waits until the new owner has locked the directory, so that it finds the old server still
  /// running.
  private void awaitLock() {
    Path lock = directory.resolve("lock");
    String self = ProcessHandle.current().pid() + "\n";
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    try {
      while (!Files.readString(lock).equals(self) && System.nanoTime() < deadline) {
        Thread.onSpinWait();
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void signal(String signal, ProcessHandle process) {
    try {
      new ProcessBuilder(List.of("kill", signal, "" + process.pid())).start().waitFor();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
