package dev.torg.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The server process on one data directory: started, supervised, stopped, and taken over from a predecessor
/// that died without stopping it.
///
/// A server that ends unexpectedly (killed, out of memory, a bug) is restarted immediately on the same port and
/// recovers from its log; meanwhile connections are refused. One that ends repeatedly, or cannot start, is
/// reported as lost.
///
/// The thread that starts the server lives as long as the server does, because the kernel ties the child's
/// lifetime to that thread and not to the whole process.
final class PostgresServer {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresServer.class);

  /// Recovery of a full log after a power failure takes a while on a slow disk, and so does the last
  /// checkpoint.
  private static final Duration START_TIMEOUT = Duration.ofMinutes(5);

  /// A free port can be taken by another process before the server binds it.
  private static final int PORT_ATTEMPTS = 10;

  private static final String PORT_IN_USE = "Address already in use";

  /// The backends of a killed server need some time to exit, longer while they compute.
  private static final int MEMORY_ATTEMPTS = 100;

  /// This many unexpected ends within the window indicate a fault that a restart does not fix.
  private static final int ENDS = 5;

  private static final Duration ENDS_WINDOW = Duration.ofMinutes(1);

  private static final Duration POLL = Duration.ofMillis(10);

  /// Batches of bodies take some megabytes a statement. By default glibc maps and unmaps such blocks each time,
  /// and the kernel clears every page of them again.
  private static final Map<String, String> MEMORY =
      Map.of(
          "MALLOC_MMAP_THRESHOLD_", "33554432",
          "MALLOC_TRIM_THRESHOLD_", "67108864",
          "MALLOC_TOP_PAD_", "4194304");

  private final PostgresCommands commands;
  private final Path data;
  private final Path log;
  private final PostgresSettings settings;
  private final Deque<Long> ends = new ArrayDeque<>();
  private final CompletableFuture<String> lost = new CompletableFuture<>();
  private volatile int port;
  private volatile boolean stopping;
  private volatile @Nullable Process process;

  PostgresServer(PostgresCommands commands, Path data, PostgresSettings settings) {
    this.commands = commands;
    this.data = data;
    this.log = data.resolveSibling("postgres.log");
    this.settings = settings;
  }

  int port() {
    return port;
  }

  /// Completed with the reason when the server ended unexpectedly and could not be restarted.
  CompletableFuture<String> lost() {
    return lost;
  }

  synchronized void start(int requestedPort) throws IOException {
    for (int attempt = 1; ; attempt++) {
      port = requestedPort == 0 ? EmbeddedPostgres.freePort() : requestedPort;
      Process started = launch();
      if (becomesReady(started)) {
        process = started;
        return;
      }
      String text = serverLog();
      if (stopping || attempt >= attempts(text)) {
        throw new IOException(
            text.contains(PORT_IN_USE)
                ? "port %d is taken".formatted(port)
                : "the server failed to start: " + text);
      }
      pause(Duration.ofMillis(200));
    }
  }

  /// Stops in an orderly way and waits for the end; harmless if the server has already ended.
  void stop() {
    stopping = true;
    stopRunning();
  }

  /// Waits for a restart in progress, which is abandoned when the server is stopping.
  private synchronized void stopRunning() {
    Process running = process;
    if (running == null || !running.isAlive()) {
      return;
    }
    try {
      PostgresCommands.interrupt(running.pid());
      running.onExit().get(START_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    } catch (Exception e) {
      LOG.error("PostgreSQL did not stop in an orderly way; it will recover at the next start", e);
      running.destroyForcibly();
    }
  }

  /// Stops the server that a predecessor left on this directory, or waits for it if it is already
  /// stopping. A process number that now belongs to another program would prevent PostgreSQL from
  /// starting, so that stale file is removed. A number without a process is left in place:
  /// PostgreSQL itself then checks that no backend of the dead server remains.
  void stopOrphan() throws IOException {
    Optional<ProcessHandle> holder = holder();
    if (holder.isEmpty()) {
      return;
    }
    if (isOurServer(holder.get())) {
      LOG.info("stopping PostgreSQL process {}, left by a former process", holder.get().pid());
      stopAndWait(holder.get());
    } else {
      LOG.info("removing the stale postmaster.pid of process {}", holder.get().pid());
      Files.deleteIfExists(pidFile());
    }
  }

  /// The server has stopped when its file is deleted, which is its last action. The process may
  /// stay visible for longer: in a container without an init no process reaps it.
  private void stopAndWait(ProcessHandle orphan) throws IOException {
    long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
    try {
      PostgresCommands.interrupt(orphan.pid());
    } catch (IOException e) {
      if (isHeldBy(orphan)) {
        throw e;
      }
    }
    while (isHeldBy(orphan)) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException(
            "PostgreSQL %d did not stop within %s".formatted(orphan.pid(), START_TIMEOUT));
      }
      pause(POLL);
    }
  }

  /// A zombie process has no command any more.
  private boolean isHeldBy(ProcessHandle process) throws IOException {
    return holder().equals(Optional.of(process)) && process.info().command().isPresent();
  }

  private Optional<ProcessHandle> holder() throws IOException {
    List<String> lines = pidFileLines();
    if (lines.isEmpty() || !lines.getFirst().strip().matches("\\d+")) {
      return Optional.empty();
    }
    return ProcessHandle.of(Long.parseLong(lines.getFirst().strip()));
  }

  /// A PostgreSQL whose working directory is this data directory.
  private boolean isOurServer(ProcessHandle process) {
    boolean named = process.info().command().map(c -> c.endsWith("postgres")).orElse(false);
    try {
      Path directory = Path.of("/proc", Long.toString(process.pid()), "cwd").toRealPath();
      return named && directory.equals(data.toRealPath());
    } catch (IOException e) {
      return false;
    }
  }

  private Process launch() throws IOException {
    List<String> command = commands.server(data, port, settings);
    CompletableFuture<Process> started = new CompletableFuture<>();
    Thread.ofPlatform()
        .name("postgres-keeper")
        .daemon()
        .start(() -> superviseChild(command, started));
    try {
      return started.join();
    } catch (CompletionException e) {
      throw new IOException("cannot run PostgreSQL", e.getCause());
    }
  }

  private void superviseChild(List<String> command, CompletableFuture<Process> started) {
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectInput(new File("/dev/null"))
              .redirectOutput(log.toFile());
      builder.environment().putAll(MEMORY);
      Process child = builder.start();
      started.complete(child);
      int exit = child.waitFor();
      restart(child, exit).ifPresent(lost::complete);
    } catch (IOException | InterruptedException e) {
      started.completeExceptionally(e);
    }
  }

  /// Restarts the server unless its end was requested; returns why it could not, if so.
  private synchronized Optional<String> restart(Process child, int exit) {
    if (stopping || !child.equals(process)) {
      return Optional.empty();
    }
    Path lastLog = log.resolveSibling("postgres.log.before");
    LOG.error("PostgreSQL exited unexpectedly with code {}, see {}; restarting it", exit, lastLog);
    try {
      Files.move(log, lastLog, StandardCopyOption.REPLACE_EXISTING);
      requireRareEnds();
      start(port);
      LOG.warn("PostgreSQL has restarted on port {}", port);
      return Optional.empty();
    } catch (IOException | RuntimeException e) {
      return stopping ? Optional.empty() : Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private void requireRareEnds() throws IOException {
    long now = System.nanoTime();
    ends.add(now);
    ends.removeIf(end -> now - end > ENDS_WINDOW.toNanos());
    if (ends.size() > ENDS) {
      throw new IOException(
          "it ended by itself %d times in %s".formatted(ends.size(), ENDS_WINDOW));
    }
  }

  /// The eighth line of `postmaster.pid` is `ready` once connections are accepted.
  private boolean becomesReady(Process started) throws IOException {
    long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
    while (started.isAlive() && !stopping && System.nanoTime() < deadline) {
      List<String> lines = pidFileLines();
      if (lines.size() >= 8
          && lines.getFirst().strip().equals("" + started.pid())
          && lines.get(7).strip().equals("ready")) {
        return true;
      }
      pause(POLL);
    }
    started.destroyForcibly();
    return false;
  }

  private List<String> pidFileLines() throws IOException {
    try {
      return Files.readAllLines(pidFile());
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  private Path pidFile() {
    return data.resolve("postmaster.pid");
  }

  private String serverLog() throws IOException {
    return Files.readString(log);
  }

  /// How many attempts to make for this error message; one where a retry would fail the same way.
  private static int attempts(String text) {
    if (text.contains("still in use")) {
      return MEMORY_ATTEMPTS;
    }
    return text.contains(PORT_IN_USE) ? PORT_ATTEMPTS : 1;
  }

  private static void pause(Duration pause) {
    LockSupport.parkNanos(pause.toNanos());
  }
}
