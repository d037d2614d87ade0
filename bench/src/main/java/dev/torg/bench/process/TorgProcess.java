package dev.torg.bench.process;

import dev.torg.embedded.EmbeddedKafka;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.server.run.RunningInstance;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Torg in a separate process on a data directory, so that load does not run in the server's JVM
/// and a kill is a real kill. Its output goes to `torg.log` next to the data.
public final class TorgProcess implements AutoCloseable {
  private static final String MAIN = "dev.torg.cli.Main";

  /// A start takes seconds; minutes on a machine that is busy with other work.
  private static final Duration START = Duration.ofMinutes(3);

  private static final Duration STOP = Duration.ofSeconds(60);
  private static final int MAX_OUTPUT_CHARS = 4000;

  private final Path data;
  private final Process process;
  private final RunningInstance running;

  private TorgProcess(Path data, Process process, RunningInstance running) {
    this.data = data;
    this.process = process;
    this.running = running;
  }

  /// Starts `torg up` with the given further arguments and waits until it is ready.
  public static TorgProcess up(Path data, List<String> arguments) {
    return up(data, arguments, START);
  }

  /// The same with a longer timeout: reading millions of searches takes time.
  public static TorgProcess up(Path data, List<String> arguments, Duration timeout) {
    List<String> all = new ArrayList<>(up(data));
    all.addAll(arguments);
    return start(data, java(MAIN, all), timeout);
  }

  /// The same with further JVM options, which override earlier ones.
  public static TorgProcess up(Path data, List<String> arguments, List<String> options) {
    List<String> all = new ArrayList<>(up(data));
    all.addAll(arguments);
    return start(data, withOptions(java(MAIN, all), options), START);
  }

  /// Starts `torg serve` with the given further arguments, on a free port unless they name one, and waits until it is ready.
  public static TorgProcess serve(Path data, List<String> arguments) {
    List<String> all = new ArrayList<>(List.of("serve", "--data", data.toString()));
    if (!arguments.contains("--port")) {
      all.addAll(List.of("--port", "0"));
    }
    all.addAll(arguments);
    return start(data, java(MAIN, all), START);
  }

  /// Starts `torg serve` as a second process of the cluster of one that embeds PostgreSQL and Kafka, with its
  /// keys, and waits until it is ready.
  public static TorgProcess serve(Path data, TorgProcess second, List<String> arguments) {
    List<String> all = new ArrayList<>();
    all.addAll(List.of("--db", "jdbc:" + second.running().database()));
    all.addAll(List.of("--kafka", second.running().kafka(), "--allow-weak-kafka", "true"));
    Path login = EmbeddedKafka.clientSettingsFile(kafkaDirectory(second.data()));
    all.addAll(List.of("--kafka-properties", login.toString()));
    all.addAll(List.of("--keys", second.data().resolve("keys.json").toString()));
    all.addAll(arguments);
    return serve(data, all);
  }

  /// Starts a main class that takes the data directory as its argument.
  public static TorgProcess of(Class<?> main, Path data) {
    return of(main, data, List.of());
  }

  /// The same with further JVM options, which override earlier ones.
  public static TorgProcess of(Class<?> main, Path data, List<String> options) {
    return start(data, withOptions(java(main.getName(), List.of(data.toString())), options), START);
  }

  /// Starts a main class that takes the data directory and the address of a database, or embeds one if none is given.
  public static TorgProcess of(Class<?> main, Path data, Optional<String> database) {
    if (database.isEmpty()) {
      return of(main, data);
    }
    List<String> arguments = List.of(data.toString(), database.get());
    TorgProcess process = start(data, java(main.getName(), arguments), START);
    return new TorgProcess(data, process.process, on(database.get(), process.running));
  }

  /// The note of the process does not hold the parameters of a given database.
  private static RunningInstance on(String database, RunningInstance note) {
    return new RunningInstance(
        note.pid(),
        note.address(),
        database.replaceFirst("^jdbc:", ""),
        note.kafka(),
        note.since());
  }

  /// Where a process with an embedded Kafka holds its data.
  static Path kafkaDirectory(Path data) {
    return data.resolve("kafka");
  }

  private static List<String> withOptions(List<String> command, List<String> options) {
    List<String> all = new ArrayList<>(command);
    all.addAll(all.indexOf("-cp"), options);
    return all;
  }

  /// The child runs with the options that the `./torg` script passed, so that the measurement shows
  /// what users run.
  private static List<String> java(String main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("-X") || option.startsWith("--"))
        .forEach(command::add);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
    command.addAll(arguments);
    return command;
  }

  /// Starts `torg up` and does not wait.
  public static Process starting(Path data) {
    return launch(data, java(MAIN, up(data)));
  }

  private static List<String> up(Path data) {
    return List.of("up", "--data", data.toString(), "--port", "0");
  }

  private static TorgProcess start(Path data, List<String> command, Duration timeout) {
    Process process = launch(data, command);
    try {
      return new TorgProcess(data, process, awaitReady(data, process, timeout));
    } catch (RuntimeException e) {
      process.destroyForcibly();
      throw e;
    }
  }

  private static Process launch(Path data, List<String> command) {
    try {
      Files.createDirectories(data);
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(log(data).toFile()))
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path log(Path data) {
    return data.resolveSibling(data.getFileName() + ".log");
  }

  public String address() {
    return running.address();
  }

  public RunningInstance running() {
    return running;
  }

  /// For reports: which database it uses.
  public String describedDatabase() {
    return running.embedded() ? "embedded" : running.describedDatabase();
  }

  public Path data() {
    return data;
  }

  /// Its embedded Kafka, with the login.
  public KafkaCluster kafka() {
    return new KafkaCluster(
        running.kafka(), "", EmbeddedKafka.clientSettings(kafkaDirectory(data)));
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /// The end of its log.
  public String lastOutput() {
    return lastOutput(log(data));
  }

  /// `kill -9` of the JVM: no hook runs, and Kafka, which runs in it, stops in any state. PostgreSQL, a child
  /// process, is signalled and shuts down in order.
  public void kill() {
    process.destroyForcibly();
    await();
  }

  /// `kill -9` of the JVM and of every PostgreSQL process, the postmaster first: nothing shuts down
  /// in order, and the next start recovers both logs. Data that the operating system has accepted
  /// survives; only a power failure would lose it.
  public void killAll() {
    Set<ProcessHandle> victims = new LinkedHashSet<>();
    process.children().forEach(victims::add);
    victims.add(process.toHandle());
    process.descendants().forEach(victims::add);
    victims.forEach(ProcessHandle::destroyForcibly);
    await();
    awaitEnd(victims);
  }

  /// Suspends the process, as a long pause of the machine would (SIGSTOP), until [#wake].
  public void freeze() {
    signal("-STOP");
  }

  public void wake() {
    signal("-CONT");
  }

  private void signal(String name) {
    try {
      new ProcessBuilder("kill", name, Long.toString(process.pid())).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Waits for the process to exit; returns its exit code.
  public int awaitExit(Duration timeout) throws InterruptedException {
    if (!process.waitFor(timeout.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("process " + process.pid() + " did not end by itself");
    }
    return process.exitValue();
  }

  /// As Ctrl-C does.
  @Override
  public void close() {
    process.destroy();
    await();
  }

  private static void awaitEnd(Set<ProcessHandle> killed) {
    long deadline = System.nanoTime() + STOP.toNanos();
    while (!killed.stream().allMatch(TorgProcess::hasExited)) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("not all of the processes %s ended".formatted(killed));
      }
      pause();
    }
  }

  /// Exited, or a zombie: where the first process is no init, no process reaps it.
  private static boolean hasExited(ProcessHandle process) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
      return stat.startsWith("Z", stat.lastIndexOf(')') + 2);
    } catch (IOException e) {
      return !process.isAlive();
    }
  }

  private void await() {
    try {
      if (!process.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException("process " + process.pid() + " did not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static RunningInstance awaitReady(Path data, Process process, Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    Path log = log(data);
    while (System.nanoTime() < deadline) {
      if (!process.isAlive()) {
        throw new IllegalStateException("Torg ended while starting; " + lastOutput(log));
      }
      Optional<RunningInstance> running =
          RunningInstance.read(data).filter(torg -> torg.pid() == process.pid());
      if (running.isPresent() && isReady(running.get().address())) {
        return running.get();
      }
      pause();
    }
    throw new IllegalStateException("Torg was not ready after " + timeout + "; " + lastOutput(log));
  }

  /// Printed here because the file is deleted with the data, where that is temporary.
  private static String lastOutput(Path log) {
    try {
      String text = Files.readString(log);
      return "its output in %s ends with:%n%s"
          .formatted(log, text.substring(Math.max(0, text.length() - MAX_OUTPUT_CHARS)));
    } catch (IOException e) {
      return "its output in %s cannot be read: %s".formatted(log, e.getMessage());
    }
  }

  private static boolean isReady(String address) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address + "/health/ready"))
            .timeout(Duration.ofSeconds(5))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static void pause() {
    LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
  }
}
