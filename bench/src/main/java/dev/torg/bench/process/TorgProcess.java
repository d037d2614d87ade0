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

/// A Torg in a process of its own on a data directory, so that load does not run in the server's JVM and a kill
/// is a real kill. Its output goes to `torg.log` next to the data.
public final class TorgProcess implements AutoCloseable {
  private static final String MAIN = "dev.torg.cli.Main";
  private static final Duration START = Duration.ofSeconds(90);
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
  public static TorgProcess up(Path data, List<String> arguments, Duration patience) {
    List<String> all = new ArrayList<>(up(data));
    all.addAll(arguments);
    return start(data, java(MAIN, all), patience);
  }

  /// The same with further options of the Java virtual machine, which come last and win.
  public static TorgProcess up(Path data, List<String> arguments, List<String> options) {
    List<String> all = new ArrayList<>(up(data));
    all.addAll(arguments);
    return start(data, withOptions(java(MAIN, all), options), START);
  }

  /// Starts `torg serve` with the given further arguments and waits until it is ready.
  public static TorgProcess serve(Path data, List<String> arguments) {
    List<String> all = new ArrayList<>(List.of("serve", "--data", data.toString(), "--port", "0"));
    all.addAll(arguments);
    return start(data, java(MAIN, all), START);
  }

  /// Starts `torg serve` as a second process of the cluster of one that embeds PostgreSQL and Kafka, with its
  /// keys, and waits until it is ready.
  public static TorgProcess serve(Path data, TorgProcess second, List<String> arguments) {
    List<String> all = new ArrayList<>();
    all.addAll(List.of("--db", "jdbc:" + second.running().database()));
    all.addAll(List.of("--kafka", second.running().kafka(), "--allow-weak-kafka", "true"));
    Path login = EmbeddedKafka.clientSettingsFile(second.data().resolve("kafka"));
    all.addAll(List.of("--kafka-properties", login.toString()));
    all.addAll(List.of("--keys", second.data().resolve("keys.json").toString()));
    all.addAll(arguments);
    return serve(data, all);
  }

  /// Starts a main class that takes the data directory as its argument.
  public static TorgProcess of(Class<?> main, Path data) {
    return of(main, data, List.of());
  }

  /// The same with further options of the Java virtual machine, which come last and win.
  public static TorgProcess of(Class<?> main, Path data, List<String> options) {
    return start(data, withOptions(java(main.getName(), List.of(data.toString())), options), START);
  }

  private static List<String> withOptions(List<String> command, List<String> options) {
    List<String> all = new ArrayList<>(command);
    all.addAll(all.indexOf("-cp"), options);
    return all;
  }

  /// The child runs with the options that the `./torg` script gave us: what is measured is what users run.
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

  /// Starts `torg up` and waits for nothing.
  public static Process starting(Path data) {
    return launch(data, java(MAIN, up(data)));
  }

  private static List<String> up(Path data) {
    return List.of("up", "--data", data.toString(), "--port", "0");
  }

  private static TorgProcess start(Path data, List<String> command, Duration patience) {
    Process process = launch(data, command);
    try {
      return new TorgProcess(data, process, awaitReady(data, process, patience));
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

  public Path data() {
    return data;
  }

  /// Its Kafka, with the login.
  public KafkaCluster kafka() {
    return running.kafka(data);
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

  /// `kill -9` of the JVM and of every PostgreSQL process, the postmaster first: nothing shuts down in order, and the
  /// next start recovers both logs. What the operating system had taken is still there; only a real power cut would
  /// take that too.
  public void killAll() {
    Set<ProcessHandle> victims = new LinkedHashSet<>();
    process.children().forEach(victims::add);
    victims.add(process.toHandle());
    process.descendants().forEach(victims::add);
    victims.forEach(ProcessHandle::destroyForcibly);
    await();
    awaitEnd(victims);
  }

  /// Stops it where it stands, as a long pause of the machine would (SIGSTOP), until [#wake].
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

  /// Waits for it to end by itself; its exit code.
  public int awaitExit(Duration patience) throws InterruptedException {
    if (!process.waitFor(patience.toSeconds(), TimeUnit.SECONDS)) {
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

  /// Gone, or a zombie: where the first process is no init, no process reaps it.
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

  private static RunningInstance awaitReady(Path data, Process process, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
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
    throw new IllegalStateException(
        "Torg was not ready after " + patience + "; " + lastOutput(log));
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
